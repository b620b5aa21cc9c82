package dev.postroom.server.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Ends a session some time after its sign-in, however busy it is: the page asks every few seconds, so a limit on idleness alone
 * would never end one in a window that stays open, nor one whose cookie was stolen. By the monotonic clock, which nobody can set
 * back; sessions do not outlive the process.
 */
final class SessionAge extends OncePerRequestFilter {
    private static final String BEGAN = SessionAge.class.getName() + ".began";

    private final long mostNanos;
    private final LongSupplier nanos;

    SessionAge(Duration most, LongSupplier nanos) {
        this.mostNanos = most.toNanos();
        this.nanos = nanos;
    }

    static void begin(HttpSession session) {
        session.setAttribute(BEGAN, System.nanoTime());
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        HttpSession session = request.getSession(false);
        if (session != null) {
            endIfOld(session);
        }
        chain.doFilter(request, response);
    }

    private void endIfOld(HttpSession session) {
        try {
            if (!isYoung(session)) {
                session.invalidate();
            }
        } catch (IllegalStateException e) {
            // another request of the same session has just ended it
        }
    }

    private boolean isYoung(HttpSession session) {
        return session.getAttribute(BEGAN) instanceof Long began && nanos.getAsLong() - began < mostNanos;
    }
}
