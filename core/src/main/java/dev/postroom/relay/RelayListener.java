package dev.postroom.relay;

import dev.postroom.engine.EngineListener;
import java.time.Duration;

/**
 * Hears of what a relay does: metrics, alarms, tests. Give as many as you like to {@link Relay.Builder#listener}. Calls come
 * on the relay's own thread, one after the other; only {@link #read} and {@link #settled} come on the threads that speak to
 * the database. Each must return at once, because messages wait meanwhile; what it throws is logged once and ignored.
 */
public interface RelayListener extends EngineListener {

    /** The relay begins, or begins anew after a failure of its own: it owns no lane yet and nothing is held. */
    default void began(RelayView relay) {}

    /**
     * A part of the relay failed, which is a bug or a lack of memory: it has ended, and begins anew after this pause.
     */
    default void crashed(Throwable error, Duration pause) {}

    /** The relay ended; nothing is under way any more. */
    default void ended() {}

    /** The database was asked for messages, and brought so many. */
    default void read(int messages, long nanos) {}

    /** The outcomes of so many messages were recorded in the database, together. */
    default void settled(int messages, long nanos) {}
}
