package dev.postroom.testkit.simulation;

import org.jspecify.annotations.Nullable;

/**
 * What the engine is known to fail. It is not hidden: a seed that meets one goes on and tells it in its report. Each is to be
 * repaired.
 */
public enum ExpectedFailure {
    /** Rows are read in vain. */
    READS_IN_VAIN(
            Invariant.COST,
            "where memory, pages and sets hold a few messages, what there is no room for is read again with many pages");

    private final Invariant invariant;
    private final String reason;

    ExpectedFailure(Invariant invariant, String reason) {
        this.invariant = invariant;
        this.reason = reason;
    }

    /** What it breaks. */
    public Invariant invariant() {
        return invariant;
    }

    /** Why it fails. */
    public String reason() {
        return reason;
    }

    /** The one that a seed goes on after, if it breaks this. */
    static @Nullable ExpectedFailure tolerated(Invariant invariant) {
        for (ExpectedFailure one : values()) {
            if (one.invariant == invariant) {
                return one;
            }
        }
        return null;
    }
}
