package dev.postroom.engine;

import dev.postroom.FailureReason;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * Hears of state changes, on the engine's thread; must return at once and never throw. Users implement {@code RelayListener},
 * which hears more.
 */
public interface EngineListener {
    /** For those who do not listen. */
    EngineListener NONE = new EngineListener() {};

    /** Lanes were taken or lost. */
    default void lanes(int owned, String why) {}

    /** Relays with other routes are in force, one of them {@code inForce}: this one gives its lanes back and takes none. */
    default void standsBy(LaneStore.LiveNode inForce) {}

    /** After it stood by, this relay's routes are in force. */
    default void isInForce() {}

    /** Rows came from the database. */
    default void fetched(int rows) {}

    /** A destination confirmed a message. */
    default void delivered(StoredMessage message, String destination) {}

    /** A delivery failed. {@code retryAfterMillis} is -1 when it is dead now. */
    default void failed(
            StoredMessage message,
            @Nullable String destination,
            FailureReason reason,
            String error,
            int attempts,
            long retryAfterMillis) {}

    /** So many messages were settled by others already: they were sent twice. */
    default void duplicates(int count) {}

    /** An outcome was not recorded, because an operator or another relay had changed the message. */
    default void overtaken(int count) {}

    /** A destination, or a topic or type of it, is held or goes on; at most one of these two is given. */
    default void breaker(String destination, @Nullable String topic, @Nullable String type, boolean open, String why) {}

    /** No route matches a topic: its messages are held, until this relay has given back the lanes that they are in. */
    default void unrouted(String topic, boolean held) {}

    /** The database refused to record what became of a message, because of the values in it. */
    default void settleRefused(RowKey key, Refusal became, String error) {}

    /** The database could not do what it was asked to. */
    default void databaseTrouble(String desk, String error) {}
}
