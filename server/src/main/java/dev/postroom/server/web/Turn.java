package dev.postroom.server.web;

import org.jspecify.annotations.Nullable;

/** Somebody's place among {@link Turns}. It ends once, whoever ends it and how often. Thread-safe. */
final class Turn {
    private final Turns turns;
    private final String client;
    private boolean come;
    private boolean ended;
    private @Nullable Runnable whenCome;

    Turn(Turns turns, String client) {
        this.turns = turns;
        this.client = client;
    }

    String client() {
        return client;
    }

    synchronized boolean hasCome() {
        return come;
    }

    /** Calls back once, at once when the turn has come already. */
    void whenCome(Runnable action) {
        synchronized (this) {
            if (!come) {
                whenCome = action;
                return;
            }
        }
        action.run();
    }

    void come() {
        Runnable action;
        synchronized (this) {
            come = true;
            action = whenCome;
        }
        if (action != null) {
            action.run();
        }
    }

    /** Waits no longer; false when the turn has come, or is coming: then it is to be taken, or ended. */
    boolean giveUp() {
        boolean left = turns.leave(this);
        synchronized (this) {
            ended |= left;
        }
        return left;
    }

    /** Lets the next have it. */
    void end() {
        if (giveUp()) {
            return;
        }
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
        }
        turns.passOn();
    }
}
