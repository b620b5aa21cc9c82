package dev.postroom.engine;

import dev.postroom.policy.Routes;
import java.util.List;
import java.util.function.DoubleSupplier;

/** Skeleton: filled in next. */
public final class Engine {
    public Engine(EngineSettings settings, Routes routes, DoubleSupplier random, EngineListener listener) {
        // nothing yet
    }

    /** Takes note of what happened and says what to do. */
    public List<Command> on(Event event, Moment now) {
        return List.of();
    }

    /** When it wants a {@link Event.Tick}, if nothing else happens before; by the clock of {@link Moment#nanos()}. */
    public long nextTurn() {
        return Long.MAX_VALUE;
    }

    /** Whether it has stopped and wants nothing any more. */
    public boolean hasStopped() {
        return true;
    }

    /** Messages in memory. */
    public int inMemory() {
        return 0;
    }
}
