package dev.postroom.jdbc.internal.operations;

/**
 * Rows that an index has side by side in the order of their seq, because the two columns before it are the same.
 *
 * @param most how many are looked at, from the newest on
 */
record Slice(Index index, int first, long second, int most) {

    /** An index whose third column is seq. */
    enum Index {
        FORWARD("forward", "state", "lane"),
        /** Not on PostgreSQL. */
        STREAM("stream", "standing", "stream");

        final String label;
        final String first;
        final String second;

        Index(String label, String first, String second) {
            this.label = label;
            this.first = first;
            this.second = second;
        }
    }

    static Slice ofLane(int state, long lane) {
        return new Slice(Index.FORWARD, state, lane, Integer.MAX_VALUE);
    }

    static Slice ofStream(int standing, long stream) {
        return new Slice(Index.STREAM, standing, stream, Integer.MAX_VALUE);
    }

    Slice withMost(int rows) {
        return new Slice(index, first, second, rows);
    }

    /** Whether they differ in nothing but how far is looked. */
    boolean isSameAs(Slice other) {
        return index == other.index && first == other.first && second == other.second;
    }
}
