package dev.postroom.jdbc.internal.operations;

/**
 * The rows that a list looks at, which are bounded however many there are.
 *
 * @param source a SELECT of them, all values written out; empty when there are none
 * @param hasMore whether there are others that could match as well
 * @param hasGaps whether some of those may be newer than the oldest of these
 */
record Window(String source, boolean hasMore, boolean hasGaps) {
    static final Window EMPTY = newest("", false);

    /** The newest rows that can match. */
    static Window newest(String source, boolean hasMore) {
        return new Window(source, hasMore, false);
    }

    /** Those of these rows {@code m} that fit a condition, and those of another source. */
    Window and(String condition, String other) {
        String both = "SELECT m.* FROM (" + source + ") m WHERE " + condition + " UNION ALL SELECT o.* FROM (" + other
                + ") o";
        return new Window(both, hasMore, hasMore);
    }

    boolean isEmpty() {
        return source.isEmpty();
    }
}
