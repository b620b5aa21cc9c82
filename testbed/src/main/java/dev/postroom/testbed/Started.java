package dev.postroom.testbed;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server that starts when it is first asked for.
 *
 * <p>A failed start is remembered: hundreds of tests then fail at once with the same cause, instead of each trying for
 * a minute.
 */
final class Started<S> {

    private final Supplier<S> start;
    private @Nullable S server;
    private @Nullable TestbedException failure;

    Started(Supplier<S> start) {
        this.start = start;
    }

    synchronized S get() {
        if (failure != null) {
            throw new TestbedException(failure.getMessage() + " (failed before in this JVM)", failure);
        }
        if (server == null) {
            try {
                server = start.get();
            } catch (TestbedException e) {
                failure = e;
                throw e;
            }
        }
        return server;
    }
}
