package dev.postroom.jdbc.internal.portable;

import dev.postroom.jdbc.internal.SizedSql;
import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.Values;
import dev.postroom.spi.MessageReader;
import dev.postroom.spi.MessageReader.LanePosition;
import dev.postroom.spi.RowKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Goes round the READY rows behind the cursors, lane by lane, a page at a time: among them are those that committed late.
 * A page that is not full has reached the end, and the next one begins anew; so while there are few, every page has all.
 */
final class PassedKeys {
    static final int PAGE = 1_000;

    private static final Comparator<Passed> IN_ORDER = Comparator.<Passed>comparingInt(
                    passed -> passed.key().lane())
            .thenComparingLong(passed -> passed.key().seq());

    private final SizedSql passed;
    private final int lanesAtOnce;

    PassedKeys(ReadSql sql, SqlNames names) {
        this.passed = new SizedSql(names, sql::passed);
        this.lanesAtOnce = sql.passedLanes();
    }

    /** A row behind its lane's cursor, with the hash of its stream. */
    record Passed(RowKey key, long stream) {}

    /** The last key of a full page. */
    record Place(int lane, long seq) implements MessageReader.Mark {
        static final Place BEGINNING = new Place(-1, -1);

        static Place of(MessageReader.@Nullable Mark mark) {
            return mark == null ? BEGINNING : (Place) mark;
        }

        long before(int otherLane) {
            return otherLane == lane ? seq : -1;
        }
    }

    /** A page of keys, and whether there are no others. */
    record Page(List<Passed> rows, boolean hasAll) {
        List<RowKey> keys() {
            return rows.stream().map(Passed::key).toList();
        }

        Place next() {
            if (rows.size() < PAGE) {
                return Place.BEGINNING;
            }
            RowKey last = rows.get(rows.size() - 1).key();
            return new Place(last.lane(), last.seq());
        }
    }

    Page page(Connection connection, List<LanePosition> positions, Place place) throws SQLException {
        List<LanePosition> lanes = positions.stream()
                .filter(position -> position.lane() >= place.lane())
                .filter(position -> position.cursor() > Math.max(0, place.before(position.lane())))
                .sorted(Comparator.comparingInt(LanePosition::lane))
                .toList();
        List<Passed> rows = new ArrayList<>();
        for (int from = 0; from < lanes.size() && rows.size() < PAGE; from += lanesAtOnce) {
            List<LanePosition> some = lanes.subList(from, Math.min(lanes.size(), from + lanesAtOnce));
            rows.addAll(query(connection, some, place, PAGE - rows.size()));
        }
        return new Page(rows, place.equals(Place.BEGINNING) && rows.size() < PAGE);
    }

    private List<Passed> query(Connection connection, List<LanePosition> lanes, Place place, int limit)
            throws SQLException {
        List<Passed> rows = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(passed.of(lanes.size()))) {
            Values values = new Values(statement);
            for (LanePosition lane : lanes) {
                values.number(lane.lane()).number(place.before(lane.lane())).number(lane.cursor());
            }
            values.number(limit);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    RowKey key = new RowKey(row.getInt(1), row.getLong(2), row.getObject(3, UUID.class));
                    rows.add(new Passed(key, row.getLong(4)));
                }
            }
        }
        rows.sort(IN_ORDER);
        return rows.subList(0, Math.min(limit, rows.size()));
    }
}
