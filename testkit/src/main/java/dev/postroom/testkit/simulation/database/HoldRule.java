package dev.postroom.testkit.simulation.database;

import dev.postroom.spi.FollowReader.Held;
import dev.postroom.spi.FollowedMessage.Earlier;
import dev.postroom.spi.Owing;
import dev.postroom.spi.RowState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What stands before a row in its stream, destination by destination. */
final class HoldRule {
    /** More holders than this count as holding everywhere. */
    private static final int FEW = 3;

    private static final long EVERYWHERE = -1;

    private final LiveTable table;
    private final DatabaseShape shape;
    private final Owing owing;

    HoldRule(LiveTable table, DatabaseShape shape, Owing owing) {
        this.table = table;
        this.shape = shape;
        this.owing = owing;
    }

    private long owed(Row row) {
        return owing.destinations(row.stream().topic(), row.onlyDestination()) & ~row.completed();
    }

    /** Where holders before this row still have to arrive. */
    long heldAt(Row row) {
        if (!row.stream().isOrdered() || row.released() || shape.has(DatabaseDefect.NO_HOLDERS)) {
            return 0;
        }
        return heldBy(before(row).values());
    }

    private long heldBy(Collection<Row> rows) {
        long mask = 0;
        int holders = 0;
        for (Row row : rows) {
            if (row.isHolder()) {
                mask |= ++holders > FEW ? EVERYWHERE : owed(row);
            }
        }
        return mask;
    }

    @Nullable
    Held held(long streamId) {
        Collection<Row> rows = table.ofStream(streamId).values();
        return rows.stream().noneMatch(Row::isHolder) ? null : new Held(streamId, heldBy(rows));
    }

    /**
     * The nearest earlier READY rows, one per destination, apart from those that the answer has already; what is further away than
     * a few rows is for the mask.
     */
    Before earlier(Row row, Set<Row> answered) {
        if (shape.personality() == Personality.SNAPSHOTS || !row.stream().isOrdered() || row.released()) {
            return new Before(List.of(), 0);
        }
        Map<Long, Long> bySeq = new TreeMap<>();
        long wanted = owed(row);
        int looked = 0;
        for (Row earlier : before(row).descendingMap().values()) {
            if (wanted == 0) {
                break;
            }
            if (earlier.state() != RowState.READY || earlier.released() || answered.contains(earlier)) {
                continue;
            }
            if (++looked > FEW) {
                return new Before(list(bySeq), wanted);
            }
            long there = owed(earlier) & wanted;
            if (there != 0) {
                bySeq.merge(earlier.key().seq(), there, (one, other) -> one | other);
                wanted &= ~there;
            }
        }
        return new Before(list(bySeq), 0);
    }

    private static List<Earlier> list(Map<Long, Long> bySeq) {
        List<Earlier> earlier = new ArrayList<>();
        bySeq.forEach((seq, destinations) -> earlier.add(new Earlier(seq, destinations)));
        return earlier;
    }

    private java.util.NavigableMap<Place, Row> before(Row row) {
        return table.ofStream(table.streamId(row))
                .headMap(Place.before(row.key().seq()), true);
    }

    /** @param unsure destinations at which the nearest was not found */
    record Before(List<Earlier> earlier, long unsure) {}
}
