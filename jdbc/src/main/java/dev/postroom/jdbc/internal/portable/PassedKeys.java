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

    private final SizedSql passed;
    private final int lanesAtOnce;

    PassedKeys(ReadSql sql, SqlNames names) {
        this.passed = new SizedSql(names, sql::passed);
        this.lanesAtOnce = sql.passedLanes();
    }

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

    List<RowKey> page(Connection connection, List<LanePosition> positions, Place place) throws SQLException {
        List<LanePosition> lanes = positions.stream()
                .filter(position ->
                        position.lane() >= place.lane() && position.cursor() > place.before(position.lane()))
                .filter(position -> position.cursor() > 0)
                .sorted(Comparator.comparingInt(LanePosition::lane))
                .toList();
        List<RowKey> keys = new ArrayList<>();
        for (int from = 0; from < lanes.size() && keys.size() < PAGE; from += lanesAtOnce) {
            List<LanePosition> some = lanes.subList(from, Math.min(lanes.size(), from + lanesAtOnce));
            keys.addAll(query(connection, some, place, PAGE - keys.size()));
        }
        return keys;
    }

    static Place after(List<RowKey> page) {
        if (page.size() < PAGE) {
            return Place.BEGINNING;
        }
        RowKey last = page.get(page.size() - 1);
        return new Place(last.lane(), last.seq());
    }

    private List<RowKey> query(Connection connection, List<LanePosition> lanes, Place place, int limit)
            throws SQLException {
        List<RowKey> keys = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(passed.of(lanes.size()))) {
            Values values = new Values(statement);
            for (LanePosition lane : lanes) {
                values.number(lane.lane()).number(place.before(lane.lane())).number(lane.cursor());
            }
            values.number(limit);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    keys.add(new RowKey(rows.getInt(1), rows.getLong(2), rows.getObject(3, UUID.class)));
                }
            }
        }
        keys.sort(Comparator.comparingInt(RowKey::lane).thenComparingLong(RowKey::seq));
        return keys.subList(0, Math.min(limit, keys.size()));
    }
}
