package dev.postroom.jdbc.internal.operations;

/**
 * The rows that a list looks at, which are bounded however many there are.
 *
 * @param source a SELECT of them, all values written out; empty when there are none
 * @param hasMore whether there are older ones that could match as well
 */
record Window(String source, boolean hasMore) {
    static final Window EMPTY = new Window("", false);

    /** Those of these rows {@code m} that fit a condition, and another window's, of live rows both. */
    Window and(String condition, Window other) {
        if (other.isEmpty()) {
            return this;
        }
        String both = "SELECT m.* FROM (" + source + ") m WHERE " + condition + " UNION ALL SELECT o.* FROM ("
                + other.source + ") o";
        return new Window(both, hasMore || other.hasMore);
    }

    boolean isEmpty() {
        return source.isEmpty();
    }
}
