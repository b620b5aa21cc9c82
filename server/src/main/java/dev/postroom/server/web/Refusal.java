package dev.postroom.server.web;

import dev.postroom.admin.http.Answers;
import dev.postroom.admin.http.Problem;
import dev.postroom.admin.view.ViewJson;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.security.core.AuthenticationException;

/** Answers with a problem where no endpoint has its turn: before a password was accepted, or the host was. */
final class Refusal {
    private Refusal() {}

    static void write(HttpServletResponse response, Problem problem, String detail) throws IOException {
        response.setStatus(problem.status());
        secure(response);
        response.setContentType("application/problem+json;charset=UTF-8");
        response.getOutputStream().write(ViewJson.bytes(problem.view(detail)));
    }

    static void secure(HttpServletResponse response) {
        response.setHeader("Content-Security-Policy", Answers.CONTENT_SECURITY_POLICY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("Cache-Control", "no-store");
    }

    /** For a request whose turn does not come. */
    static void busy(HttpServletResponse response) throws IOException {
        busy(response, "too many requests are waiting: try again in 2 s");
    }

    static void busy(HttpServletResponse response, String detail) throws IOException {
        response.setHeader("Retry-After", "2");
        write(response, Problem.BUSY, detail);
    }

    /** Where nothing more is known than the status that somebody else has chosen. */
    static String advice(int status) {
        return Problem.of(status) == Problem.INTERNAL_ERROR
                ? "this is a fault of Postroom: the log of this process says more"
                : "this request cannot be answered as it is: /api/v1/openapi.json says what there is, and in which form";
    }

    /** For a name or password that is wrong, or missing where something cannot be had without. */
    static void signIn(HttpServletRequest request, HttpServletResponse response, AuthenticationException why)
            throws IOException {
        if (why instanceof TooManyTriesException many) {
            response.setHeader("Retry-After", Long.toString(many.seconds()));
            write(response, Problem.TOO_MANY_REQUESTS, text(many));
            return;
        }
        // A browser would show a window of its own, on top of the page that asks for the same.
        if (request.getHeader("Sec-Fetch-Mode") == null) {
            response.setHeader("WWW-Authenticate", "Basic realm=\"postroom\", charset=\"UTF-8\"");
        }
        write(response, Problem.UNAUTHORIZED, "name or password is missing or wrong: sign in");
    }

    static String text(TooManyTriesException many) {
        return "too many wrong passwords for this name: try again in " + many.seconds() + " s";
    }
}
