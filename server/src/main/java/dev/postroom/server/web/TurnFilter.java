package dev.postroom.server.web;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

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

    private final Turns work = new Turns(MOST, MOST_WAITING);
    private final Turns checks;

    /** @param slowChecks whether it takes a slow hash to check a password */
    TurnFilter(boolean slowChecks, int processors) {
        this.checks = slowChecks ? new Turns(Math.min(processors, MOST_CHECKS), MOST_WAITING) : work;
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
        if (turn == null || (waited && !turn.hasCome())) {
            Refusal.busy(response);
        } else if (turn.hasCome()) {
            try {
                chain.doFilter(request, response);
            } finally {
                turn.end();
            }
        } else {
            request.setAttribute(TURN, turn);
            await(turn, request.startAsync());
        }
    }

    private @Nullable Turn ask(HttpServletRequest request) {
        boolean check = bringsPassword(request) || BodyFilter.isSignIn(request);
        return (check ? checks : work).ask(ClientAddress.owner(request.getRemoteAddr()));
    }

    private static boolean bringsPassword(HttpServletRequest request) {
        return request.getHeader("Authorization") != null;
    }

    private static void await(Turn turn, AsyncContext async) {
        async.setTimeout(PATIENCE.toMillis());
        async.addListener(new Impatience(turn));
        turn.whenCome(() -> {
            try {
                async.dispatch();
            } catch (RuntimeException e) {
                // The client is gone, or has just been told that this takes too long.
                turn.end();
            }
        });
    }

    /** A turn that nobody takes goes to the next, however its request ends. */
    private record Impatience(Turn turn) implements AsyncListener {
        @Override
        public void onTimeout(AsyncEvent event) {
            if (turn.giveUp()) {
                event.getAsyncContext().dispatch();
            }
        }

        @Override
        public void onError(AsyncEvent event) {
            turn.end();
        }

        @Override
        public void onComplete(AsyncEvent event) {
            turn.end();
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            // its answer is being sent
        }
    }
}
