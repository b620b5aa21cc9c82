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

    /** Breaks off what {@link #answer} waits for, so that it throws soon. From any thread; may do nothing. */
    void cancel();

    /** As {@link #answer}, with the failure for an answer when the database refused; an Error is nobody's answer. */
    default Event carryOut(C command) {
        try {
            return answer(command);
        } catch (RuntimeException e) {
            return failed(Errors.describe(e));
        }
    }
}
