package dev.postroom.server.web;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.time.Duration;

/**
 * A request that waits for its turn without a thread. It goes on once: when its turn is granted or refused, or when it has waited
 * for too long. A turn that nobody takes goes to the next, however its request ends.
 */
final class AwaitedTurn implements AsyncListener {
    private final Turn turn;
    private final AsyncContext async;
    private boolean dispatched;

    AwaitedTurn(Turn turn, AsyncContext async) {
        this.turn = turn;
        this.async = async;
    }

    void begin(Duration patience) {
        async.setTimeout(patience.toMillis());
        async.addListener(this);
        turn.whenDecided(this::goOn);
    }

    private void goOn() {
        try {
            dispatch();
        } catch (RuntimeException e) {
            // The client is gone.
            turn.end();
        }
    }

    /** Under a lock: a time-out after which nobody has dispatched is a fault to the server, so it waits for whoever is at it. */
    private synchronized void dispatch() {
        if (!dispatched) {
            dispatched = true;
            async.dispatch();
        }
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        turn.giveUp();
        // Where it was granted or refused a moment ago, whoever did so may not have come to call back yet.
        goOn();
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
