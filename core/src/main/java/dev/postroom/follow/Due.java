package dev.postroom.follow;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A place in the order in which rows are read by their due time: (due, seq), the beginning when due is null. */
record Due(@Nullable Instant time, long seq) implements Comparable<Due> {
    static final Due BEGINNING = new Due(null, 0);

    @Override
    public int compareTo(Due other) {
        Instant mine = time;
        Instant its = other.time;
        if (mine == null || its == null) {
            return Boolean.compare(mine != null, its != null);
        }
        int byTime = mine.compareTo(its);
        return byTime != 0 ? byTime : Long.compare(seq, other.seq);
    }

    /** The place from which a scan meets this one first. */
    Due before() {
        return time == null ? BEGINNING : new Due(time, seq - 1);
    }

    static Due lower(@Nullable Due one, Due other) {
        return one == null || other.compareTo(one) < 0 ? other : one;
    }
}
