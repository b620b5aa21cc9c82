package dev.postroom.server.web;

import dev.postroom.admin.http.Problem;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.util.ContentCachingResponseWrapper;

/** An answer that is made in memory, with errors in the form that all of ours have. */
final class CollectedAnswer extends ContentCachingResponseWrapper {
    CollectedAnswer(HttpServletResponse response) {
        super(response);
    }

    @Override
    public void sendError(int status) throws IOException {
        resetBuffer();
        Refusal.write(this, Problem.of(status), Refusal.advice(status));
    }

    /** What others say of an error may quote the request, and is not ours to show. */
    @Override
    public void sendError(int status, String message) throws IOException {
        sendError(status);
    }
}
