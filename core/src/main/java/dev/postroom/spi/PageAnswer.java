package dev.postroom.spi;

import dev.postroom.Stream;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What became of a page. Only a {@link Page} has rows, because rows are taken only with a complete late part. */
public sealed interface PageAnswer {

    /** The late part exceeded its limit, or the page's bytes. The mark stays; {@link FollowReader#lateFloor} is asked next. */
    record LateCut() implements PageAnswer {}

    /**
     * The numbers that positions are made of mean nothing any more: another server answers (a restart, a failover, a restore), or its
     * sequence went backwards. Everything begins anew at 0 without a mark.
     */
    record Restart() implements PageAnswer {}

    /**
     * All parts, from one snapshot. Parts may return the same row.
     *
     * @param late the READY rows at or below their lane's reach that were not visible to the previous mark, by seq: all of them.
     *     Always empty from databases that cannot tell, see {@link FollowReader}
     * @param ranges one per range asked for, in that order
     * @param next to be given to the next page
     * @param at the time of the snapshot, by the database's clock: what was due then is in the due part
     */
    record Page(
            List<FollowedMessage> late,
            List<RangeRows> ranges,
            DueRows due,
            Swept swept,
            FollowReader.Mark next,
            Instant at)
            implements PageAnswer {}

    /**
     * The rows of a range, by seq.
     *
     * @param end where the scan ended: every row of the lane up to here that was READY in the snapshot is in this page's rows or was
     *     not asked for. When cut, the seq of the last row; else {@code upTo} or, if that is lower, the last number that the outbox had
     *     given out when the previous mark was taken (without one: by now), but never less than the last row or {@code after}. A row up to here that commits later is late for the next page (from databases that cannot tell, it is for the sweep)
     * @param cut whether a limit of rows or bytes ended the scan; may be true though no row follows, and with no rows at all when
     *     the page's bytes were used up before
     */
    record RangeRows(PageRequest.Range range, List<FollowedMessage> rows, long end, boolean cut) {}

    /**
     * Rows that are due, by (due, seq).
     *
     * @param ends per lane asked for, in that order, where its scan ended: at its last row, or where it began
     */
    record DueRows(List<FollowedMessage> rows, List<DueEnd> ends) {}

    /** Where the scan of a lane's due rows ended, and whether a limit ended it. */
    record DueEnd(PageRequest.DuePosition position, boolean cut) {}

    /**
     * What the sweep saw, in the order of its spans and then by seq.
     *
     * @param ends per span asked for, in that order, the seq up to which it was looked at: {@code upTo} when it was finished, the
     *     last row's seq when a limit ended the sweep within it, {@code after} when it was not begun
     */
    record Swept(List<SweptRow> rows, List<Long> ends) {}

    /** A READY row without its contents, with what tells to whom it is owed and which followers it belongs to. */
    record SweptRow(
            RowKey key,
            long streamId,
            Stream stream,
            @Nullable String type,
            @Nullable String onlyDestination,
            long completed,
            boolean released) {}
}
