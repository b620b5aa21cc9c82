package dev.postroom.relay;

import java.time.InstantSource;

/**
 * Starts a relay with another clock than the machine's. It is in the relay's package, and in the benchmark, because nobody
 * but chaos has a use for it: applications could only do harm with it, so their builder does not have it.
 */
public final class ClockedRelay {
    private ClockedRelay() {}

    /** As {@link Relay.Builder#start()}, by that clock. */
    public static Relay start(Relay.Builder builder, InstantSource wall) {
        return builder.start(wall);
    }
}
