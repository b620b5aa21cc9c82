package dev.postroom.relay;

import dev.postroom.engine.Command;
import java.time.Duration;

/** Takes what the engine wants done with the database, one command at a time, and posts the answer. */
interface Desk<C extends Command> extends AutoCloseable {

    /** The next only after the answer to the one before. */
    void give(C command);

    /** Asks it to end after what it is doing; returns at once. */
    @Override
    void close();

    /** Waits until a closed desk has given its connection back; false when it had not by then. */
    default boolean hasEndedWithin(Duration limit) throws InterruptedException {
        return true;
    }
}
