package dev.postroom.spi;

import java.util.Collection;
import java.util.List;

/**
 * Reads for followers, without locks and without claiming anything. What a call says comes from one snapshot. Whatever the table
 * holds, a call scans no more rows than its limits say, returns no more bytes than its bounds, and says where each scan ended. A call that fails
 * changes nothing: it is asked again with the same mark. Not thread-safe; owns one connection.
 *
 * <h2>Late rows</h2>
 *
 * A row with a lower number may commit after a higher one was read. A page therefore comes with a {@link Mark} of its snapshot, which
 * goes into the next request. PostgreSQL knows each row's transaction and returns, as the page's late part, the rows at or
 * below a lane's reach that were not visible to the mark. For each row it holds that
 *
 * <ul>
 *   <li>a transaction that could not have given its row's {@code tx} (a restore, logical replication) is late at most once, when
 *       this server's own transactions reach that number, and never before;
 *   <li>a row that appears at or below the reach with a {@code tx} from before the mark is not late: the sweep finds it.
 * </ul>
 *
 * <p>MariaDB and H2 cannot tell: their late part is empty and never cut. There a late row is found by the sweep, which is to run with
 * every page and is answered in the same snapshot, and order does not wait for it because of {@link FollowedMessage#earlier()}.
 *
 * <h2>Contents</h2>
 *
 * A large payload may be loaded by a second statement after the page's; a row that has been removed in between is left out. The same is true of
 * {@code heldAt}, which may be newer than the page, never older.
 */
public interface FollowReader extends AutoCloseable {

    /** One page, with all parts that were asked for. */
    PageAnswer read(PageRequest request);

    /**
     * The lowest late seq per lane, after {@link PageAnswer.LateCut}; in as many calls as it takes to scan the late rows, each bounded.
     *
     * @param previous the mark of the page that was cut, then the {@link LateFloor.Part#next} of the answer before
     * @param reaches the same in all of these calls
     */
    LateFloor lateFloor(Mark previous, List<PageRequest.Reach> reaches, int limit);

    /** Streams that fell behind, each for one destination, up to 64 a call; one answer per ask, in that order. */
    StreamRead readStreams(List<StreamRead.Ask> asks, ReadBounds bounds);

    /**
     * Which of these streams have a holder now: a row that is WAITING or DEAD, holds and is not released. At most 1,000 ids a call. A stream
     * that is not in the answer has none.
     */
    List<Held> holders(Collection<Long> streams);

    /** The rows with these keys that still exist and are READY, DELAYED or WAITING, by seq: for hints. At most 1,000 keys a call. */
    List<FollowedMessage> fetch(Collection<RowKey> keys, ReadBounds bounds);

    /** What operators paused, and what they resumed. */
    Pauses pauses();

    /** Breaks off the call that another thread is in, which then fails. For any thread; never needed. */
    default void cancel() {}

    @Override
    void close();

    /** Opaque to the relay: what the next read must know about this one, and which server it was. */
    interface Mark {
        /** Whether its database can tell late rows. Where it cannot, the sweep is to run with every page. */
        default boolean tellsLateRows() {
            return true;
        }
    }

    /** A stream that is held at these destinations, by {@link Owing}; never too few bits. */
    record Held(long stream, long destinations) {}

    /** What a search for the lowest late row found. */
    sealed interface LateFloor {

        /** As {@link PageAnswer.Restart}. */
        record Restart() implements LateFloor {}

        /**
         * What was found so far.
         *
         * @param lowest per lane that has any, the lowest late seq seen so far, including the calls before
         * @param complete whether that was all. Then {@code next} is the new mark for pages; else it is for the next call of
         *     {@link FollowReader#lateFloor}, and for nothing else
         */
        record Part(List<PageRequest.Reach> lowest, Mark next, boolean complete) implements LateFloor {}
    }
}
