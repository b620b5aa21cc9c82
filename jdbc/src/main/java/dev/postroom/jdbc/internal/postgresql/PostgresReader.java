package dev.postroom.jdbc.internal.postgresql;

import dev.postroom.Stream;
import dev.postroom.jdbc.internal.MessageRows;
import dev.postroom.jdbc.internal.PauseRows;
import dev.postroom.jdbc.internal.Session;
import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.Timestamps;
import dev.postroom.operations.Pause;
import dev.postroom.spi.MessageReader;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Reads with the statements of {@link PostgresReadSql}, one per call. */
final class PostgresReader implements MessageReader {
    private static final MessageRows ROWS = new MessageRows(Timestamps.WITH_TIME_ZONE);

    private final Session session;
    private final SqlNames names;
    private final PostgresReadSql sql;

    PostgresReader(Session session, SqlNames names) {
        this.session = session;
        this.names = names;
        this.sql = new PostgresReadSql(names);
    }

    @Override
    public Page read(ReadRequest request) {
        PostgresMark mark = PostgresMark.of(request.previous());
        long highest =
                request.lanes().stream().mapToLong(LanePosition::cursor).max().orElse(0);
        return session.call("read messages", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql.read)) {
                Parameters parameters = new Parameters(connection, statement);
                parameters.array("smallint", lanes(request.lanes()));
                parameters.array(
                        "bigint",
                        request.lanes().stream().map(LanePosition::cursor).toArray(Long[]::new));
                parameters.array(
                        "bigint",
                        request.lanes().stream().map(LanePosition::horizon).toArray(Long[]::new));
                parameters.array(
                        "integer",
                        request.lanes().stream().map(LanePosition::limit).toArray(Integer[]::new));
                limits(parameters, request.limits());
                limits(parameters, request.limits());
                parameters.array("bigint", mark.running().toArray(Long[]::new));
                parameters.number(highest);
                limits(parameters, request.limits());
                parameters.number(mark.end());
                parameters.number(highest);
                try (ResultSet rows = statement.executeQuery()) {
                    return page(rows, highest, request.limits());
                }
            }
        });
    }

    private static void limits(Parameters parameters, RowLimits limits) throws SQLException {
        parameters.number(limits.storedHeaderBytes());
        parameters.number(limits.payloadBytes());
        parameters.number(limits.payloadBytes());
        parameters.number(limits.storedHeaderBytes());
    }

    private static Short[] lanes(List<LanePosition> positions) {
        return positions.stream().map(position -> (short) position.lane()).toArray(Short[]::new);
    }

    private static Page page(ResultSet rows, long highestCursor, RowLimits limits) throws SQLException {
        List<StoredMessage> messages = new ArrayList<>();
        PostgresMark next = PostgresMark.NONE;
        while (rows.next()) {
            String snapshot = rows.getString(26);
            if (snapshot == null) {
                messages.add(ROWS.map(rows, limits));
            } else if (rows.getLong(27) < highestCursor) {
                return new Page(List.of(), List.of(), PostgresMark.NONE, true);
            } else {
                next = PostgresMark.parse(snapshot);
            }
        }
        messages.sort(Comparator.comparingLong(message -> message.key().seq()));
        return new Page(messages, List.of(), next, false);
    }

    @Override
    public List<StoredMessage> readDue(DueRequest request) {
        return session.call("read due messages", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql.readDue)) {
                Parameters parameters = new Parameters(connection, statement);
                limits(parameters, request.limits());
                parameters.array(
                        "smallint",
                        request.lanes().stream()
                                .map(lane -> (short) lane.lane())
                                .toArray(Short[]::new));
                parameters.array(
                        "text",
                        request.lanes().stream().map(PostgresReader::due).toArray(String[]::new));
                parameters.array(
                        "bigint", request.lanes().stream().map(DuePosition::seq).toArray(Long[]::new));
                parameters.number(request.limitPerLane());
                return ROWS.query(statement, request.limits());
            }
        });
    }

    private static String due(DuePosition position) {
        Instant due = position.due();
        return due == null ? "-infinity" : due.toString();
    }

    @Override
    public List<StoredMessage> fetch(Collection<RowKey> keys, RowLimits limits) {
        return session.call("fetch messages", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql.fetch)) {
                Parameters parameters = new Parameters(connection, statement);
                limits(parameters, limits);
                parameters.ids(keys.stream().map(RowKey::id).toList());
                return ROWS.query(statement, limits);
            }
        });
    }

    @Override
    public List<StoredMessage> fetchReady(int lane, Collection<Long> seqs, RowLimits limits) {
        return session.call("fetch messages", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql.fetchReady)) {
                Parameters parameters = new Parameters(connection, statement);
                limits(parameters, limits);
                parameters.array("bigint", seqs.toArray(Long[]::new));
                parameters.number(lane);
                return ROWS.query(statement, limits);
            }
        });
    }

    @Override
    public List<Holder> holders(Stream stream, int limit) {
        return session.call("find what holds a stream", connection -> holders(connection, stream, limit));
    }

    private List<Holder> holders(Connection connection, Stream stream, int limit) throws SQLException {
        List<Holder> holders = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql.holders)) {
            Parameters parameters = new Parameters(connection, statement);
            parameters.text(stream.tenant());
            parameters.text(stream.key());
            // The stream's id is that of all of its topics, and of others by chance.
            parameters.text(stream.tenant());
            parameters.text(stream.topic());
            parameters.text(stream.key());
            parameters.number(limit);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    holders.add(new Holder(
                            MessageRows.key(rows),
                            RowState.of(rows.getInt("state")),
                            rows.getLong("completed"),
                            Timestamps.WITH_TIME_ZONE.get(rows, "due")));
                }
            }
        }
        return holders;
    }

    @Override
    public List<Pause> pauses() {
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
