package dev.postroom.server.web;

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
 * Keeps some of the server's threads free, whatever requests do: only those whose turn it is may take time, for the database or
 * for a slow hash; the others wait without a thread. The liveness probe takes no time and needs no turn, so nothing that goes on
 * in requests keeps it waiting.
 */
final class TurnFilter implements Filter {
    /** Fewer than the server's threads, together with {@link #MOST_CHECKS}. */
    private static final int MOST = 10;

    /** Hashes are slow on purpose. More of them at once than processors would only slow down everything else. */
    private static final int MOST_CHECKS = 4;

    private static final int MOST_WAITING = 1_000;
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String LIVENESS = "/actuator/health/liveness";
    private static final String TURN = TurnFilter.class.getName();

    private final Turns work;
    private final Turns checks;

    TurnFilter(Turns work, Turns checks) {
        this.work = work;
        this.checks = checks;
    }

    /** @param slowChecks whether it takes a slow hash to check a password */
    static TurnFilter of(boolean slowChecks, int processors) {
        Turns work = new Turns(MOST, MOST_WAITING);
        return new TurnFilter(work, slowChecks ? new Turns(Math.min(processors, MOST_CHECKS), MOST_WAITING) : work);
    }

    @Override
    public void doFilter(ServletRequest anyRequest, ServletResponse anyResponse, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest request = (HttpServletRequest) anyRequest;
        HttpServletResponse response = (HttpServletResponse) anyResponse;
        boolean waited = request.getAttribute(TURN) instanceof Turn;
        if (!waited && request.getServletPath().equals(LIVENESS) && !bringsPassword(request)) {
            chain.doFilter(request, response);
            return;
        }
        Turn turn = waited ? (Turn) request.getAttribute(TURN) : ask(request);
        // In this order: one that waits may be granted at any moment.
        if (turn.isWaiting()) {
            request.setAttribute(TURN, turn);
            new AwaitedTurn(turn, request.startAsync()).begin(PATIENCE);
        } else if (turn.isGranted()) {
            try {
                chain.doFilter(request, response);
            } finally {
                turn.end();
            }
        } else {
            Refusal.busy(response);
        }
    }

    private Turn ask(HttpServletRequest request) {
        boolean check = bringsPassword(request) || BodyFilter.isSignIn(request);
        return (check ? checks : work).ask(ClientAddress.owner(request.getRemoteAddr()));
    }

    private static boolean bringsPassword(HttpServletRequest request) {
        return request.getHeader("Authorization") != null;
    }
}
