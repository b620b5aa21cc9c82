package dev.postroom.server.web;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;

/**
 * Sends answers as their clients take them. No thread waits for that: clients that read slowly, or not at all, hold a connection
 * each, and as much memory as {@link UnsentAnswers} gives them.
 */
final class AnswerFilter implements Filter {
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final UnsentAnswers unsent;
    private final Mishaps mishaps = new Mishaps(System::nanoTime);

    AnswerFilter(UnsentAnswers unsent) {
        this.unsent = unsent;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        CollectedAnswer answer = new CollectedAnswer((HttpServletResponse) response);
        try {
            chain.doFilter(request, answer);
        } catch (IOException | ServletException | RuntimeException e) {
            answer.sendError(mishaps.status(e));
        }
        // Else somebody waits for the body, or for his turn.
        if (!request.isAsyncStarted()) {
            send(request, response, answer.getContentAsByteArray());
        }
    }

    private void send(ServletRequest request, ServletResponse response, byte[] content) throws IOException {
        if (content.length > 0) {
            response.setContentLength(content.length);
        }
        AsyncContext async = request.startAsync();
        async.setTimeout(DEADLINE.toMillis());
        AnswerWriter writer = new AnswerWriter(async, content, unsent);
        async.addListener(writer);
        response.getOutputStream().setWriteListener(writer);
    }
}
