package dev.postroom.jdbc.internal.follow;

/** The bytes that are left for an answer. The first row is always accepted. */
final class Budget {
    private long left;
    private boolean any;

    Budget(long bytes) {
        this.left = bytes;
    }

    boolean accepts(FoundRow row) {
        if (any && row.weight() > left) {
            return false;
        }
        any = true;
        left -= row.weight();
        return true;
    }
}
