package dev.postroom.server.web;

import dev.postroom.admin.http.Body;
import dev.postroom.admin.http.Problem;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;

/**
 * Has the whole body before anything else sees the request, whatever its path, method and type. No thread waits for it: it is
 * collected as it arrives, so that clients which send a byte now and then hold a connection each and nothing else. What is
 * too long or takes too long is refused, before anybody is asked who he is.
 */
final class BodyFilter implements Filter {
    static final int MOST_BYTES_TO_SIGN_IN = 8 * 1024;
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    private static final String BODY = BodyFilter.class.getName();
    private static final byte[] NOTHING = {};

    @Override
    public void doFilter(ServletRequest anyRequest, ServletResponse anyResponse, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest request = (HttpServletRequest) anyRequest;
        HttpServletResponse response = (HttpServletResponse) anyResponse;
        Object body = request.getAttribute(BODY);
        if (body instanceof Refused refused) {
            refuse(response, refused);
        } else if (request.getDispatcherType() == DispatcherType.ASYNC) {
            chain.doFilter(new ReadRequest(request, body instanceof byte[] read ? read : NOTHING), response);
        } else if (hasBody(request)) {
            collect(request, response);
        } else {
            chain.doFilter(request, response);
        }
    }

    private static boolean hasBody(HttpServletRequest request) {
        return request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
    }

    static boolean isSignIn(HttpServletRequest request) {
        return request.getServletPath().endsWith("/sign-in");
    }

    private static void collect(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int most = isSignIn(request) ? MOST_BYTES_TO_SIGN_IN : Body.MOST_BYTES;
        if (request.getContentLengthLong() > most) {
            refuse(response, Refused.tooLarge(most));
            return;
        }
        AsyncContext async = request.startAsync();
        async.setTimeout(DEADLINE.toMillis());
        BodyReader reader = new BodyReader(async, most, outcome -> {
            request.setAttribute(BODY, outcome);
            async.dispatch();
        });
        async.addListener(reader);
        request.getInputStream().setReadListener(reader);
    }

    /** What is still on its way is not waited for. */
    private static void refuse(HttpServletResponse response, Refused refused) throws IOException {
        response.setHeader("Connection", "close");
        Refusal.write(response, refused.problem(), refused.detail());
    }

    /** Why a body is not taken. */
    record Refused(Problem problem, String detail) {
        static Refused tooLarge(int most) {
            return new Refused(Problem.TOO_LARGE, "the body may have " + most + " bytes");
        }
    }
}
