package dev.postroom.spi;

import java.util.List;

/**
 * A row as followers read it.
 *
 * @param message the row itself
 * @param stream the 64-bit id of (tenant, key), whatever the topic: equal for all rows of a stream within one database. Two streams
 *     may share one by chance, and then wait for each other. Meaningless without a key
 * @param holds false: a failed row that does not hold its stream (policy SKIP)
 * @param heldAt at which destinations an earlier row of the stream that is WAITING or DEAD, holds and is not released still has to
 *     arrive, by {@link Owing}. Never too few bits; too many when the stream has more than a few holders. Always 0 for a row
 *     without a key, for a released one, and in the answer to a stream read, where the holders are among the rows
 * @param earlier only from databases that cannot tell late rows, else empty: the nearest earlier READY row of the stream for each
 *     destination that this row is owed to, apart from rows that the same {@link PageAnswer.RangeRows} returned before this one.
 *     A reader that knows none of where such a row is must not take this row at these destinations: it committed late. Where the
 *     nearest could not be found within a few rows, {@code heldAt} has the destination's bit instead
 */
public record FollowedMessage(StoredMessage message, long stream, boolean holds, long heldAt, List<Earlier> earlier) {

    /** A READY row at {@code seq}, the nearest of its stream for these destinations. */
    public record Earlier(long seq, long destinations) {}

    public RowKey key() {
        return message.key();
    }

    /** Its place in the order of the outbox. */
    public long seq() {
        return message.key().seq();
    }
}
