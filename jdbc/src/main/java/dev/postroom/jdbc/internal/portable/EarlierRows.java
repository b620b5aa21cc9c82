package dev.postroom.jdbc.internal.portable;

import dev.postroom.Stream;
import dev.postroom.jdbc.internal.SizedSql;
import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.Values;
import dev.postroom.spi.StoredMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds {@link StoredMessage.Hold#earlierSeq()}: the nearest READY row before each row of an ordered stream.
 *
 * <p>A page that was read forward has no gaps within a lane, so for most rows it is the one before in the same page. Only
 * for the first of each stream it lies behind the cursor: among the keys passed by, if they are all known, else it is
 * asked for. These are looked at after the page was read, so they show every row that had committed before any of it.
 */
final class EarlierRows {
    /** Rows asked for in one statement. */
    private static final int CHUNK = 128;

    private final SizedSql earlier;

    EarlierRows(ReadSql sql, SqlNames names) {
        this.earlier = new SizedSql(names, sql::earlier);
    }

    /** A row read forward, with the hash of its stream. */
    record Ahead(StoredMessage row, long stream) {}

    private record LaneStream(int lane, long stream) {}

    /** Rows read forward, in order of their seq. */
    List<StoredMessage> link(Connection connection, List<Ahead> page, PassedKeys.Page passed) throws SQLException {
        Map<Stream, Long> before = passed.hasAll() ? among(passed, page) : ask(connection, firstOfEachStream(page));
        List<StoredMessage> linked = new ArrayList<>(page.size());
        for (Ahead ahead : page) {
            StoredMessage row = ahead.row();
            linked.add(
                    row.stream().isOrdered()
                            ? link(row, before.put(row.stream(), row.key().seq()))
                            : row);
        }
        return linked;
    }

    /** Hashes may meet: then the row is of another stream, which is for the reader to see when it fetches it. */
    private static Map<Stream, Long> among(PassedKeys.Page passed, List<Ahead> page) {
        Map<LaneStream, Long> last = new HashMap<>();
        for (PassedKeys.Passed row : passed.rows()) {
            last.merge(new LaneStream(row.key().lane(), row.stream()), row.key().seq(), Math::max);
        }
        Map<Stream, Long> before = new HashMap<>();
        for (Ahead ahead : page) {
            Long seq = last.get(new LaneStream(ahead.row().key().lane(), ahead.stream()));
            if (seq != null) {
                before.put(ahead.row().stream(), seq);
            }
        }
        return before;
    }

    private static List<StoredMessage> firstOfEachStream(List<Ahead> page) {
        Map<Stream, StoredMessage> firsts = new HashMap<>();
        for (Ahead ahead : page) {
            if (ahead.row().stream().isOrdered()) {
                firsts.putIfAbsent(ahead.row().stream(), ahead.row());
            }
        }
        return List.copyOf(firsts.values());
    }

    private Map<Stream, Long> ask(Connection connection, List<StoredMessage> rows) throws SQLException {
        Map<Stream, Long> before = new HashMap<>();
        List<StoredMessage> answered = askEach(connection, rows);
        for (StoredMessage row : answered) {
            if (row.hold().earlierSeq() >= 0) {
                before.put(row.stream(), row.hold().earlierSeq());
            }
        }
        return before;
    }

    /** Rows that were read in any other way, of which each is asked for. */
    List<StoredMessage> askEach(Connection connection, List<StoredMessage> rows) throws SQLException {
        List<StoredMessage> linked = new ArrayList<>(rows);
        List<Integer> ordered = new ArrayList<>();
        for (int place = 0; place < rows.size(); place++) {
            if (rows.get(place).stream().isOrdered()) {
                ordered.add(place);
            }
        }
        for (int from = 0; from < ordered.size(); from += CHUNK) {
            List<Integer> places = ordered.subList(from, Math.min(ordered.size(), from + CHUNK));
            try (PreparedStatement statement = connection.prepareStatement(earlier.atLeast(places.size()))) {
                bind(new Values(statement), rows, places);
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        int place = row.getInt(1);
                        linked.set(place, link(rows.get(place), row.getLong(2)));
                    }
                }
            }
        }
        return linked;
    }

    private static void bind(Values values, List<StoredMessage> rows, List<Integer> places) throws SQLException {
        for (int i = 0; i < SizedSql.padded(places.size()); i++) {
            int place = places.get(Math.min(i, places.size() - 1));
            Stream stream = rows.get(place).stream();
            values.number(place)
                    .text(stream.tenant())
                    .text(stream.tenant())
                    .text(stream.key())
                    .number(rows.get(place).key().seq())
                    .text(stream.tenant())
                    .text(stream.topic())
                    .text(stream.key());
        }
    }

    private static StoredMessage link(StoredMessage row, @Nullable Long earlierSeq) {
        if (earlierSeq == null) {
            return row;
        }
        return new StoredMessage(
                row.key(),
                row.stream(),
                row.content(),
                row.progress(),
                row.createdAt(),
                row.due(),
                new StoredMessage.Hold(row.hold().held(), earlierSeq),
                row.defect());
    }
}
