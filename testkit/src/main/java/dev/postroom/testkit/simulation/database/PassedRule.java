package dev.postroom.testkit.simulation.database;

import dev.postroom.spi.MessageReader;
import dev.postroom.spi.MessageReader.LanePosition;
import dev.postroom.spi.MessageReader.ReadRequest;
import dev.postroom.spi.RowKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Goes round the READY rows behind the cursors, lane by lane, a page at a time. */
final class PassedRule implements ReadingRule {
    /** Far smaller than in a real store, so that going round is the rule. */
    static final int PAGE = 20;

    private final LiveTable table;
    private final boolean lateRows;

    PassedRule(LiveTable table, boolean lateRows) {
        this.table = table;
        this.lateRows = lateRows;
    }

    /** The last key of a full page. */
    private record Position(int lane, long seq) implements MessageReader.Mark {
        static final Position BEGINNING = new Position(-1, -1);

        static Position of(MessageReader.@Nullable Mark mark) {
            return mark == null ? BEGINNING : (Position) mark;
        }
    }

    @Override
    public Behind behind(ReadRequest request) {
        if (!lateRows) {
            return new Behind(List.of(), List.of(), Position.BEGINNING);
        }
        Position from = Position.of(request.previous());
        List<LanePosition> lanes = request.lanes().stream()
                .filter(lane -> lane.lane() >= from.lane())
                .sorted(Comparator.comparingInt(LanePosition::lane))
                .toList();
        List<RowKey> keys = new ArrayList<>();
        for (LanePosition lane : lanes) {
            long after = lane.lane() == from.lane() ? from.seq() : -1;
            if (after >= lane.cursor()) {
                continue;
            }
            for (Row row : table.ready(lane.lane())
                    .subMap(Place.after(after), false, Place.after(lane.cursor()), true)
                    .values()) {
                keys.add(row.key());
                if (keys.size() == PAGE) {
                    return new Behind(
                            List.of(),
                            keys,
                            new Position(row.key().lane(), row.key().seq()));
                }
            }
        }
        return new Behind(List.of(), keys, Position.BEGINNING);
    }

    @Override
    public long earlierSeq(Row row) {
        if (!row.stream().isOrdered()) {
            return -1;
        }
        Map.@Nullable Entry<Place, Row> earlier =
                table.ready(row.stream()).lowerEntry(Place.before(row.key().seq()));
        return earlier == null ? -1 : earlier.getKey().seq();
    }
}
