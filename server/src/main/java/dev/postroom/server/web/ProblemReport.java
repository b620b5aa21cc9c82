package dev.postroom.server.web;

import dev.postroom.admin.http.Problem;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;

/** What Tomcat refuses before any filter sees it, in the form of all other refusals. Made by Tomcat, by its name. */
public final class ProblemReport extends ErrorReportValve {
    private static final int FIRST_ERROR = 400;

    @Override
    protected void report(Request request, Response response, @Nullable Throwable why) {
        int status = response.getStatus();
        if (status < FIRST_ERROR || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        try {
            Refusal.write(response, Problem.of(status), Refusal.advice(status));
        } catch (IOException e) {
            // The client is gone.
        }
    }
}
