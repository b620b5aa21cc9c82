package dev.postroom.testkit.simulation.database;

import dev.postroom.spi.RowKey;
import java.util.UUID;

/** Where a row stands in its lane or stream; two rows may share a seq. */
record Place(long seq, UUID id) implements Comparable<Place> {
    private static final UUID LAST = new UUID(Long.MAX_VALUE, Long.MAX_VALUE);

    static Place of(RowKey key) {
        return new Place(key.seq(), key.id());
    }

    /** Behind every row of this seq, before all others. */
    static Place after(long seq) {
        return new Place(seq, LAST);
    }

    /** Before every row of this seq. */
    static Place before(long seq) {
        return after(seq - 1);
    }

    @Override
    public int compareTo(Place other) {
        int bySeq = Long.compare(seq, other.seq);
        return bySeq != 0 ? bySeq : id.compareTo(other.id);
    }
}
