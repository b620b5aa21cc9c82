package dev.postroom.server.web;

import org.jspecify.annotations.Nullable;

/** Somebody's place among {@link Turns}: granted or refused once, ended once, whoever ends it and how often. Thread-safe. */
final class Turn {
    private enum State {
        WAITING,
        GRANTED,
        OVER
    }

    private final Turns turns;
    private final String client;
    private State state = State.WAITING;
    private @Nullable Runnable whenDecided;

    Turn(Turns turns, String client) {
        this.turns = turns;
        this.client = client;
    }

    String client() {
        return client;
    }

    synchronized boolean isWaiting() {
        return state == State.WAITING;
    }

    /** Whether it may be used: it is neither refused nor ended. */
    synchronized boolean isGranted() {
        return state == State.GRANTED;
    }

    /** Calls back when this is granted or refused, at once when it is already. */
    void whenDecided(Runnable action) {
        synchronized (this) {
            if (state == State.WAITING) {
                whenDecided = action;
                return;
            }
        }
        action.run();
    }

    synchronized void grant() {
        state = State.GRANTED;
    }

    synchronized void refuse() {
        state = State.OVER;
    }

    /** For whoever has granted or refused it, without a lock. */
    void callBack() {
        Runnable action;
        synchronized (this) {
            action = whenDecided;
        }
        if (action != null) {
            action.run();
        }
    }

    /** Waits no longer, and calls nobody back; false when it is decided already. */
    boolean giveUp() {
        return turns.leave(this);
    }

    /** Lets the next have it. */
    void end() {
        if (giveUp()) {
            return;
        }
        synchronized (this) {
            if (state != State.GRANTED) {
                return;
            }
            state = State.OVER;
        }
        turns.passOn();
    }
}
