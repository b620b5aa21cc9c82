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
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;

/**
 * Has the whole body before anything else sees the request, whatever its path, method and type. No thread waits for it: it is
 * collected as it arrives, so that clients which send a byte now and then hold a connection each and nothing else. What is
 * too long, takes too long or finds no room in the {@link BodyBudget} is refused, before anybody is asked who he is.
 */
final class BodyFilter implements Filter {
    static final int MOST_BYTES_TO_SIGN_IN = 8 * 1024;
    static final Duration DEADLINE = Duration.ofSeconds(5);

    private static final String BODY = BodyFilter.class.getName();

    private final BodyBudget budget;
    private final Duration deadline;

    BodyFilter(BodyBudget budget, Duration deadline) {
        this.budget = budget;
        this.deadline = deadline;
    }

    @Override
    public void doFilter(ServletRequest anyRequest, ServletResponse anyResponse, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest request = (HttpServletRequest) anyRequest;
        HttpServletResponse response = (HttpServletResponse) anyResponse;
        Object body = request.getAttribute(BODY);
        if (body instanceof Refused refused) {
            refuse(response, refused);
        } else if (body instanceof BodyRoom room) {
            passOn(request, response, chain, room);
        } else if (request.getDispatcherType() == DispatcherType.ASYNC) {
            chain.doFilter(new ReadRequest(request, new ByteArrayInputStream(new byte[0])), response);
        } else if (hasBody(request)) {
            collect(request, response);
        } else {
            chain.doFilter(request, response);
        }
    }

    /** The room is released as soon as the answer is made, which may take long to be sent. */
    private static void passOn(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain, BodyRoom room)
            throws IOException, ServletException {
        try {
            chain.doFilter(new ReadRequest(request, room.open()), response);
        } finally {
            if (request.isAsyncStarted()) {
                // It waits for its turn, and comes here again unless its client goes.
                request.getAsyncContext().addListener(room);
            } else {
                room.release();
            }
        }
    }

    private static boolean hasBody(HttpServletRequest request) {
        return request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
    }

    static boolean isSignIn(HttpServletRequest request) {
        return request.getServletPath().endsWith("/sign-in");
    }

    private void collect(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int most = isSignIn(request) ? MOST_BYTES_TO_SIGN_IN : Body.MOST_BYTES;
        if (request.getContentLengthLong() > most) {
            refuse(response, Refused.tooLarge(most));
            return;
        }
        AsyncContext async = request.startAsync();
        async.setTimeout(deadline.toMillis());
        BodyRoom room = new BodyRoom(budget, ClientAddress.owner(request.getRemoteAddr()));
        BodyReader reader = new BodyReader(async, most, room, outcome -> {
            request.setAttribute(BODY, outcome);
            async.dispatch();
        });
        async.addListener(reader);
        async.addListener(room);
        request.getInputStream().setReadListener(reader);
    }

    /** What is still on its way is not waited for. */
    private static void refuse(HttpServletResponse response, Refused refused) throws IOException {
        response.setHeader("Connection", "close");
        if (refused.problem() == Problem.BUSY) {
            Refusal.busy(response, refused.detail());
        } else {
            Refusal.write(response, refused.problem(), refused.detail());
        }
    }

    /** Why a body is not taken. */
    record Refused(Problem problem, String detail) {
        static Refused tooLarge(int most) {
            return new Refused(Problem.TOO_LARGE, "the body may have " + most + " bytes");
        }

        static Refused noRoom() {
            return new Refused(Problem.BUSY, "too many bodies are under way: try again in 2 s");
        }
    }
}
