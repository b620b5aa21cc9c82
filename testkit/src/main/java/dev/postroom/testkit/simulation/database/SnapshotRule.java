package dev.postroom.testkit.simulation.database;

import dev.postroom.spi.MessageReader.LanePosition;
import dev.postroom.spi.MessageReader.ReadRequest;
import dev.postroom.spi.RowState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Late are rows of transactions that were running at the read before, or began after its snapshot. */
final class SnapshotRule implements ReadingRule {
    private final LiveTable table;
    private final Transactions transactions;
    private final boolean lateRows;

    SnapshotRule(LiveTable table, Transactions transactions, boolean lateRows) {
        this.table = table;
        this.transactions = transactions;
        this.lateRows = lateRows;
    }

    @Override
    public Behind behind(ReadRequest request) {
        Transactions.Snapshot before = Transactions.Snapshot.of(request.previous());
        Map<Integer, Long> cursors = new HashMap<>();
        for (LanePosition lane : request.lanes()) {
            cursors.put(lane.lane(), lane.cursor());
        }
        List<Row> late = new ArrayList<>();
        if (lateRows) {
            for (long tx : before.running()) {
                table.ofTransaction(tx).forEach(row -> addIfBehind(row, cursors, late));
            }
            for (List<Row> rows : table.sinceTransaction(before.end())) {
                rows.forEach(row -> addIfBehind(row, cursors, late));
            }
        }
        return new Behind(late, List.of(), transactions.snapshot());
    }

    private static void addIfBehind(Row row, Map<Integer, Long> cursors, List<Row> late) {
        @Nullable Long cursor = cursors.get(row.key().lane());
        if (cursor != null && row.key().seq() <= cursor && row.state() == RowState.READY) {
            late.add(row);
        }
    }

    @Override
    public long earlierSeq(Row row) {
        return -1;
    }
}
