package dev.postroom.jdbc.internal.postgresql;

import dev.postroom.jdbc.internal.PauseRows;
import dev.postroom.jdbc.internal.Session;
import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.Timestamps;
import dev.postroom.jdbc.internal.follow.Answers;
import dev.postroom.jdbc.internal.follow.FollowRows;
import dev.postroom.jdbc.internal.follow.FoundPage;
import dev.postroom.jdbc.internal.follow.FoundRow;
import dev.postroom.jdbc.internal.follow.FoundStreams;
import dev.postroom.jdbc.internal.follow.Place;
import dev.postroom.jdbc.internal.follow.RowWeight;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.Owing;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.PageRequest.DuePosition;
import dev.postroom.spi.PageRequest.Range;
import dev.postroom.spi.PageRequest.Reach;
import dev.postroom.spi.PageRequest.Span;
import dev.postroom.spi.Pauses;
import dev.postroom.spi.ReadBounds;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.StreamRead;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntFunction;

/** Reads with the statements of {@link PostgresFollowSql}. */
final class PostgresFollowReader implements FollowReader {
    private final Session session;
    private final SqlNames names;
    private final PostgresFollowSql sql;
    private final FollowRows rows = new FollowRows(Timestamps.WITH_TIME_ZONE);
    private final Owing owing;

    PostgresFollowReader(Session session, SqlNames names, Owing owing) {
        this.session = session;
        this.names = names;
        this.sql = new PostgresFollowSql(names);
        this.owing = owing;
    }

    @Override
    public PageAnswer read(PageRequest request) {
        return session.call("read messages", connection -> {
            String text = sql.read(asksDue(request), asksSweep(request));
            try (PreparedStatement statement = connection.prepareStatement(text)) {
                bind(new Parameters(connection, statement), request);
                try (ResultSet found = statement.executeQuery()) {
                    return page(connection, found, request);
                }
            }
        });
    }

    private static void bind(Parameters parameters, PageRequest request) throws SQLException {
        FollowMark previous = FollowMark.of(request.previous());
        PostgresSnapshot mark = previous == null ? PostgresSnapshot.NONE : previous.snapshot();
        long highest = highest(request.reaches());
        long most = request.lateLimit() + 1L;
        parameters.array("bigint", mark.running().toArray(Long[]::new));
        parameters.number(highest);
        parameters.number(most);
        parameters.number(most);
        // Nothing can be late in lanes that have not been begun; and nothing is looked for among all that is new to the
        // mark.
        parameters.number(highest == 0 ? Long.MAX_VALUE : mark.end());
        parameters.number(highest);
        parameters.number(most);
        RowWeight inline = RowWeight.of(request);
        weight(parameters, inline);
        bindRanges(parameters, request.ranges());
        weight(parameters, inline);
        if (asksDue(request)) {
            weight(parameters, inline);
            bindDue(parameters, request.due());
        }
        if (asksSweep(request)) {
            bindSweep(parameters, request.sweep());
        }
    }

    private static boolean asksDue(PageRequest request) {
        return !request.due().lanes().isEmpty();
    }

    private static boolean asksSweep(PageRequest request) {
        return !request.sweep().spans().isEmpty();
    }

    static void weight(Parameters parameters, RowWeight weight) throws SQLException {
        parameters.number(weight.headers());
        parameters.number(weight.payload());
        parameters.number(weight.payload());
        parameters.number(weight.headers());
    }

    private static long highest(List<Reach> reaches) {
        long highest = 0;
        for (Reach reach : reaches) {
            highest = Math.max(highest, reach.highest());
        }
        return highest;
    }

    private static void bindRanges(Parameters parameters, List<Range> ranges) throws SQLException {
        parameters.array("smallint", each(ranges, range -> (short) range.lane(), Short[]::new));
        parameters.array("bigint", each(ranges, Range::after, Long[]::new));
        parameters.array("bigint", each(ranges, Range::upTo, Long[]::new));
        parameters.array("integer", each(ranges, Range::limit, Integer[]::new));
    }

    private static void bindReaches(Parameters parameters, List<Reach> reaches) throws SQLException {
        parameters.array("smallint", each(reaches, reach -> (short) reach.lane(), Short[]::new));
        parameters.array("bigint", each(reaches, Reach::highest, Long[]::new));
    }

    private static void bindDue(Parameters parameters, PageRequest.Due due) throws SQLException {
        parameters.array("smallint", each(due.lanes(), lane -> (short) lane.lane(), Short[]::new));
        parameters.array("text", each(due.lanes(), PostgresFollowReader::due, String[]::new));
        parameters.array("bigint", each(due.lanes(), DuePosition::seq, Long[]::new));
        parameters.number(due.limit());
    }

    private static String due(DuePosition position) {
        Instant due = position.due();
        return due == null ? "-infinity" : due.toString();
    }

    private static void bindSweep(Parameters parameters, PageRequest.Sweep sweep) throws SQLException {
        parameters.array("smallint", each(sweep.spans(), span -> (short) span.lane(), Short[]::new));
        parameters.array("bigint", each(sweep.spans(), Span::after, Long[]::new));
        parameters.array("bigint", each(sweep.spans(), Span::upTo, Long[]::new));
        parameters.number(sweep.limit());
        parameters.number(sweep.limit());
    }

    private static <T, R> R[] each(List<T> all, Function<T, R> value, IntFunction<R[]> array) {
        R[] values = array.apply(all.size());
        for (int i = 0; i < values.length; i++) {
            values[i] = value.apply(all.get(i));
        }
        return values;
    }

    private PageAnswer page(Connection connection, ResultSet found, PageRequest request) throws SQLException {
        FoundPage page = new FoundPage(request);
        while (found.next()) {
            long place = found.getLong(27);
            if (place != Place.FACTS) {
                page.add(found, rows, place);
                continue;
            }
            FollowMark previous = FollowMark.of(request.previous());
            long last = found.getLong(3);
            FollowMark next = new FollowMark(PostgresSnapshot.parse(found.getString(11)), found.getString(12), last);
            if (previous != null && (!previous.isOf(next.server()) || last < highest(request.reaches()))) {
                return new PageAnswer.Restart();
            }
            if (found.getLong(18) > request.lateLimit()) {
                return new PageAnswer.LateCut();
            }
            Instant at = Timestamps.WITH_TIME_ZONE.require(found, 14);
            long known = previous == null ? last : previous.last();
            return page.answer(new PostgresRowSource(connection, sql, rows, owing), known, next, at);
        }
        throw new SQLException("the statement returned no facts about itself");
    }

    @Override
    public LateFloor lateFloor(Mark previous, List<Reach> reaches, int limit) {
        FloorMark mark = FloorMark.of(previous);
        return session.call("find the lowest late message", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql.lateFloor)) {
                Parameters parameters = new Parameters(connection, statement);
                long highest = highest(reaches);
                parameters.array("bigint", mark.running().toArray(Long[]::new));
                parameters.array("bigint", mark.after().toArray(Long[]::new));
                parameters.number(highest);
                parameters.number(limit);
                parameters.number(mark.unseenTx());
                parameters.number(mark.unseenSeq());
                parameters.number(highest);
                parameters.number(mark.end());
                parameters.number(limit);
                parameters.number(limit);
                bindReaches(parameters, reaches);
                try (ResultSet found = statement.executeQuery()) {
                    return floor(found, mark, highest, limit);
                }
            }
        });
    }

    private static LateFloor floor(ResultSet found, FloorMark mark, long highest, int limit) throws SQLException {
        Map<Integer, Long> lowest = new HashMap<>(mark.lowest());
        while (found.next()) {
            String snapshot = found.getString("snapshot");
            long seq = found.getLong("seq");
            if (snapshot == null) {
                lowest.merge(found.getInt("lane"), seq, Math::min);
                continue;
            }
            long last = found.getLong("last_seq");
            FollowMark now = new FollowMark(PostgresSnapshot.parse(snapshot), found.getString("server"), last);
            if (!mark.previous().isOf(now.server()) || last < highest) {
                return new LateFloor.Restart();
            }
            FollowMark base = Objects.requireNonNullElse(mark.base(), now);
            boolean complete = found.getLong("scanned") < limit;
            Mark next = complete ? base : new FloorMark(mark.previous(), base, found.getLong("tx"), seq, lowest);
            List<Reach> floors = new ArrayList<>();
            lowest.forEach((lane, lowestSeq) -> floors.add(new Reach(lane, lowestSeq)));
            return new LateFloor.Part(floors, next, complete);
        }
        throw new SQLException("the statement returned no facts about itself");
    }

    @Override
    public StreamRead readStreams(List<StreamRead.Ask> asks, ReadBounds bounds) {
        return session.call("read streams", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql.readStreams)) {
                Parameters parameters = new Parameters(connection, statement);
                long most = asks.stream().mapToLong(StreamRead.Ask::limit).sum();
                weight(parameters, RowWeight.of(bounds, most));
                parameters.array("bigint", each(asks, StreamRead.Ask::stream, Long[]::new));
                parameters.array("bigint", each(asks, StreamRead.Ask::after, Long[]::new));
                parameters.array("integer", each(asks, StreamRead.Ask::limit, Integer[]::new));
                FoundStreams found = new FoundStreams(asks, bounds);
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        found.add(row, rows, Timestamps.WITH_TIME_ZONE);
                    }
                }
                return found.answer(new PostgresRowSource(connection, sql, rows, owing));
            }
        });
    }

    @Override
    public List<Held> holders(Collection<Long> streams) {
        return session.call(
                "find what holds streams",
                connection -> new PostgresRowSource(connection, sql, rows, owing)
                        .holders(streams)
                        .all());
    }

    @Override
    public List<FollowedMessage> fetch(Collection<RowKey> keys, ReadBounds bounds) {
        return session.call("fetch messages", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql.fetch)) {
                Parameters parameters = new Parameters(connection, statement);
                weight(parameters, RowWeight.of(bounds, keys.size()));
                parameters.ids(keys.stream().map(RowKey::id).toList());
                List<FoundRow> found = new ArrayList<>();
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        found.add(rows.map(row, bounds));
                    }
                }
                return new Answers(new PostgresRowSource(connection, sql, rows, owing), bounds).within(found);
            }
        });
    }

    @Override
    public Pauses pauses() {
        return session.call(
                "read what is paused", connection -> PauseRows.read(connection, names, Timestamps.WITH_TIME_ZONE));
    }

    @Override
    public void cancel() {
        session.cancel();
    }

    @Override
    public void close() {
        session.close();
    }
}
