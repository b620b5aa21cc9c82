package dev.postroom.relay;

import dev.postroom.engine.Command;
import java.time.Duration;

/** Takes what the engine wants done with the database, one command at a time, and posts the answer. */
interface Desk<C extends Command> extends AutoCloseable {

    /** The next only after the answer to the one before. */
    void give(C command);

    /** For how many nanoseconds it has owed an answer; 0 when it owes none. */
    default long owesForNanos() {
        return 0;
    }

    /** Asks it to end after what it is doing; returns at once. */
    @Override
    void close();

    /** Breaks off what it is doing, if it still does anything. */
    default void cancel() {}

    /** Waits until a closed desk has given its connection back; false when it had not by then. */
    default boolean hasEndedWithin(Duration limit) throws InterruptedException {
        return true;
    }
}
