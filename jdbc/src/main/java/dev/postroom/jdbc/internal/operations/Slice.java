package dev.postroom.jdbc.internal.operations;

/**
 * Rows that an index has side by side in the order of their seq, because the two columns before it are the same.
 *
 * @param most how many are looked at, from the newest on
 */
record Slice(Index index, long first, int second, int most) {

    /** An index whose third column is seq. */
    enum Index {
        FORWARD("forward", "state", "lane"),
        /** Not on PostgreSQL. */
        STREAM("stream", "stream", "standing");

        final String label;
        final String first;
        final String second;

        Index(String label, String first, String second) {
            this.label = label;
            this.first = first;
            this.second = second;
        }
    }

    static Slice ofLane(int state, int lane) {
        return new Slice(Index.FORWARD, state, lane, Integer.MAX_VALUE);
    }

    static Slice ofStream(long stream, int standing) {
        return new Slice(Index.STREAM, stream, standing, Integer.MAX_VALUE);
    }

    Slice withMost(int rows) {
        return new Slice(index, first, second, rows);
    }
}
