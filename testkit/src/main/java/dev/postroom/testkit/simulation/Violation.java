package dev.postroom.testkit.simulation;

import dev.postroom.spi.RowKey;
import org.jspecify.annotations.Nullable;

/** An invariant did not hold. Ends the simulation. */
final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Invariant invariant;
    private final transient @Nullable RowKey key;

    private transient @Nullable RowKey other;

    Violation(Invariant invariant, @Nullable RowKey key, String what) {
        super(what);
        this.invariant = invariant;
        this.key = key;
    }

    /** With another message that has to do with it. */
    Violation(Invariant invariant, RowKey key, RowKey other, String what) {
        this(invariant, key, what);
        this.other = other;
    }

    @Nullable
    RowKey other() {
        return other;
    }

    Invariant invariant() {
        return invariant;
    }

    @Nullable
    RowKey key() {
        return key;
    }
}
