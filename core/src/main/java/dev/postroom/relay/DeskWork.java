package dev.postroom.relay;

import dev.postroom.engine.Command;
import dev.postroom.engine.Event;

/** What a desk can do, with a connection of its own. Not thread-safe. */
interface DeskWork<C extends Command> extends AutoCloseable {

    /** Does it; whatever it throws means that nobody knows whether it was done. */
    Event answer(C command);

    /** The answer when it threw. */
    Event failed(String error);

    @Override
    void close();

    /** As {@link #answer}, with the failure for an answer when it throws. */
    @SuppressWarnings("CatchingUnchecked")
    default Event carryOut(C command) {
        try {
            return answer(command);
        } catch (RuntimeException | LinkageError | StackOverflowError | OutOfMemoryError e) {
            return failed(Errors.describe(e));
        }
    }
}
