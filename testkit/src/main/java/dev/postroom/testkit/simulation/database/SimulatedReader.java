package dev.postroom.testkit.simulation.database;

import dev.postroom.Stream;
import dev.postroom.operations.Pause;
import dev.postroom.spi.MessageReader;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Reads as {@link MessageReader} says; what lies behind the cursors is for the {@link ReadingRule}. */
final class SimulatedReader implements MessageReader {
    private static final Comparator<Row> BY_SEQ = Comparator.comparing(row -> Place.of(row.key()));

    private final SimulatedDatabase database;
    private final LiveTable table;
    private final ReadingRule rule;
    private final boolean tellsHolders;

    SimulatedReader(SimulatedDatabase database, LiveTable table, ReadingRule rule, boolean tellsHolders) {
        this.database = database;
        this.table = table;
        this.rule = rule;
        this.tellsHolders = tellsHolders;
    }

    @Override
    public Page read(ReadRequest request) {
        ReadingRule.Behind behind = rule.behind(request);
        long highest =
                request.lanes().stream().mapToLong(LanePosition::cursor).max().orElse(0);
        if (highest > database.lastSeq()) {
            return new Page(List.of(), List.of(), behind.next(), true);
        }
        List<Row> rows = new ArrayList<>(behind.late());
        for (LanePosition lane : request.lanes()) {
            forward(lane, rows);
        }
        rows.sort(BY_SEQ);
        return new Page(messages(rows, request.limits()), behind.passed(), behind.next(), false);
    }

    private void forward(LanePosition lane, List<Row> rows) {
        if (lane.limit() == 0
                || lane.cursor() >= lane.horizon()
                || table.ready(lane.lane()).isEmpty()) {
            return;
        }
        int found = 0;
        long last = -1;
        for (Row row : table.ready(lane.lane())
                .subMap(Place.after(lane.cursor()), false, Place.after(lane.horizon()), true)
                .values()) {
            if (found >= lane.limit() && row.key().seq() != last) {
                return;
            }
            rows.add(row);
            last = row.key().seq();
            found++;
        }
    }

    @Override
    public List<StoredMessage> readDue(DueRequest request) {
        Instant now = database.clock().now();
        Map<DuePlace, Row> found = new java.util.TreeMap<>();
        for (DuePosition lane : request.lanes()) {
            if (table.due(lane.lane()).isEmpty()) {
                continue;
            }
            Instant from = lane.due() == null ? Instant.MIN : lane.due();
            int left = request.limitPerLane();
            for (Map.Entry<DuePlace, Row> entry : table.due(lane.lane())
                    .tailMap(new DuePlace(from, Place.after(lane.seq())), false)
                    .entrySet()) {
                if (left-- == 0 || entry.getKey().due().isAfter(now)) {
                    break;
                }
                found.put(entry.getKey(), entry.getValue());
            }
        }
        return messages(found.values(), request.limits());
    }

    @Override
    public List<StoredMessage> fetch(Collection<RowKey> keys, RowLimits limits) {
        List<Row> rows = new ArrayList<>();
        for (RowKey key : keys) {
            Row row = table.find(key);
            if (row != null && row.state() != RowState.DEAD) {
                rows.add(row);
            }
        }
        rows.sort(BY_SEQ);
        return messages(rows, limits);
    }

    @Override
    public List<StoredMessage> fetchReady(int lane, Collection<Long> seqs, RowLimits limits) {
        List<Row> rows = new ArrayList<>();
        for (long seq : seqs) {
            rows.addAll(table.ready(lane)
                    .subMap(Place.before(seq), false, Place.after(seq), true)
                    .values());
        }
        rows.sort(BY_SEQ);
        return messages(rows, limits);
    }

    @Override
    public List<Holder> holders(Stream stream, int limit) {
        return table.holders(stream).values().stream()
                .limit(limit)
                .map(row -> new Holder(row.key(), row.state(), row.completed(), row.due()))
                .toList();
    }

    @Override
    public List<Pause> pauses() {
        return database.operator().pauses();
    }

    private List<StoredMessage> messages(Collection<Row> rows, RowLimits limits) {
        List<StoredMessage> messages = new ArrayList<>(rows.size());
        for (Row row : rows) {
            messages.add(row.read(hold(row), limits.payloadBytes()));
        }
        return messages;
    }

    private StoredMessage.Hold hold(Row row) {
        boolean held = tellsHolders
                && row.stream().isOrdered()
                && !row.released()
                && table.holders(row.stream()).lowerEntry(Place.before(row.key().seq())) != null;
        long earlier = rule.earlierSeq(row);
        return held || earlier >= 0 ? new StoredMessage.Hold(held, earlier) : StoredMessage.Hold.NONE;
    }

    @Override
    public void close() {}
}
