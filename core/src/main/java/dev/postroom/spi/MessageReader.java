package dev.postroom.spi;

import dev.postroom.Stream;
import dev.postroom.operations.Pause;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a relay has to send, without locks and without claiming anything. A row, and whether
 * it is held, come from one statement, hence one snapshot. Not thread-safe; owns one connection.
 *
 * <h2>The reading rule</h2>
 *
 * A row with a lower sequence number may commit after a higher one was read, so reading forward alone would miss it. A
 * reader therefore passes the {@link Mark} of each page on to the next read. The database uses it to return the late
 * rows, at or below a lane's cursor, that were not visible before: PostgreSQL knows exactly which they are and returns
 * them among {@link Page#rows()}. Other databases cannot tell, and return in {@link Page#passed()} the keys of rows
 * behind the cursors, a bounded page per read that goes round and round; the relay {@link #fetch}es those that it has
 * not in memory. There, {@link StoredMessage.Hold#earlierSeq()} keeps the order within a stream in the meantime.
 */
public interface MessageReader extends AutoCloseable {

    /** READY rows of the lanes, beyond each lane's cursor, plus late ones; rows come in order of their seq. */
    Page read(ReadRequest request);

    /** DELAYED and WAITING rows of the lanes that are due, beyond each lane's position, by due time. */
    List<StoredMessage> readDue(DueRequest request);

    /** The rows with these keys that still exist and are READY, DELAYED or WAITING. At most 1,000 keys a call. */
    List<StoredMessage> fetch(Collection<RowKey> keys, RowLimits limits);

    /** The rows at these sequence numbers of a lane that are READY: resolves {@code earlierSeq} and writers' hints. */
    List<StoredMessage> fetchReady(int lane, Collection<Long> seqs, RowLimits limits);

    /** The first {@code limit} rows, by seq, that hold the stream: WAITING or DEAD, not released. */
    List<Holder> holders(Stream stream, int limit);

    /** What operators paused. */
    List<Pause> pauses();

    /** Breaks off the call that another thread is in, which then fails. For any thread; never needed. */
    default void cancel() {}

    @Override
    void close();

    /**
     * What to read forward.
     *
     * @param previous the mark of the read before, or null for a reader that has just begun
     * @param lanes all lanes that the relay owns, also those it wants no more rows of
     */
    record ReadRequest(@Nullable Mark previous, List<LanePosition> lanes, RowLimits limits) {}

    /**
     * Where a reader stands in a lane.
     *
     * @param cursor the highest seq read so far, 0 at the beginning
     * @param horizon the highest seq to read forward. Rows of one time lie on the same pages of the table, so lanes
     *     that advance together are read and settled about twice as fast as lanes that drift apart
     * @param limit how many rows to read forward; 0 reads none but still returns late ones. A row that shares the last
     *     seq comes along with it
     */
    record LanePosition(int lane, long cursor, long horizon, int limit) {
        /** A position without a horizon. */
        public LanePosition(int lane, long cursor, int limit) {
            this(lane, cursor, Long.MAX_VALUE, limit);
        }
    }

    /**
     * What to read by due time.
     *
     * @param limits rows above them come without what exceeds them and with a defect
     */
    record DueRequest(List<DuePosition> lanes, int limitPerLane, RowLimits limits) {}

    /** Rows come in order of (due, seq); a lane's next page begins after this position, at the start when due is null. */
    record DuePosition(int lane, @Nullable Instant due, long seq) {}

    /**
     * What one read returned.
     *
     * @param rows late rows and forward rows, by seq
     * @param passed keys behind the cursors, for databases that cannot tell late rows; else empty. Those that are not in
     *     memory go before the rows: a late row may precede one of them in its stream
     * @param next to be given to the next read
     * @param restart the sequence went backwards (a failover lost its end, a restore): cursors mean nothing any more,
     *     and reading begins anew at 0 without a mark. Rows are empty then.
     */
    record Page(List<StoredMessage> rows, List<RowKey> passed, Mark next, boolean restart) {}

    /** Opaque to the relay: what the next read must know about this one. */
    interface Mark {}

    /** A row that holds its stream. */
    record Holder(
            RowKey key,
            RowState state,
            long completed,
            @Nullable Instant due) {}
}
