package dev.postroom.jdbc.internal.postgresql;

import dev.postroom.spi.FollowReader.Mark;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far a search for the lowest late rows has come.
 *
 * @param previous of the page that was cut
 * @param base of the first step: what it did not show is late for the pages after
 * @param tx the last row looked at is of this transaction, which is next to be looked at beyond {@code seq}
 * @param lowest late seq found so far, by lane
 */
record FloorMark(FollowMark previous, @Nullable FollowMark base, long tx, long seq, Map<Integer, Long> lowest)
        implements Mark {

    static FloorMark of(Mark mark) {
        return mark instanceof FloorMark floor ? floor : new FloorMark((FollowMark) mark, null, 0, 0, Map.of());
    }

    /** The transactions that were running and have not been looked at wholly. */
    List<Long> running() {
        return previous.snapshot().running().stream().filter(each -> each >= tx).toList();
    }

    /** Where each of them goes on. */
    List<Long> after() {
        return running().stream().map(each -> each == tx ? seq : 0L).toList();
    }

    /** Transactions from here on were not seen by the previous mark, whether they ran or not. */
    long unseenTx() {
        return Math.max(previous.snapshot().end() - 1, tx);
    }

    long unseenSeq() {
        return unseenTx() == tx ? seq : Long.MAX_VALUE;
    }

    /** What the pages after the search find by themselves begins here. */
    long end() {
        return base == null ? Long.MAX_VALUE : base.snapshot().end();
    }
}
