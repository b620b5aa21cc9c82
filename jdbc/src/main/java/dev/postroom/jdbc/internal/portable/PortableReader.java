package dev.postroom.jdbc.internal.portable;

import dev.postroom.Stream;
import dev.postroom.jdbc.internal.MessageRows;
import dev.postroom.jdbc.internal.PauseRows;
import dev.postroom.jdbc.internal.Session;
import dev.postroom.jdbc.internal.SizedSql;
import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.Timestamps;
import dev.postroom.jdbc.internal.Values;
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
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/** Reads for databases that cannot tell which rows committed late, see {@link MessageReader} and {@link PassedKeys}. */
public final class PortableReader implements MessageReader {
    private static final Comparator<StoredMessage> BY_SEQ =
            Comparator.comparingLong(message -> message.key().seq());
    private static final Comparator<StoredMessage> BY_DUE = Comparator.<StoredMessage, Instant>comparing(
                    message -> Objects.requireNonNullElse(message.due(), Timestamps.EARLIEST))
            .thenComparing(BY_SEQ);

    private final Session session;
    private final SqlNames names;
    private final Timestamps timestamps;
    private final MessageRows rows;
    private final PassedKeys passedKeys;
    private final EarlierRows earlierRows;
    private final SizedSql forward;
    private final SizedSql due;
    private final SizedSql fetch;
    private final SizedSql fetchReady;
    private final String holders;

    public PortableReader(Session session, ReadSql sql, Timestamps timestamps, SqlNames names) {
        this.session = session;
        this.timestamps = timestamps;
        this.rows = new MessageRows(timestamps);
        this.names = names;
        this.passedKeys = new PassedKeys(sql, names);
        this.earlierRows = new EarlierRows(sql, names);
        this.forward = new SizedSql(names, sql::forward);
        this.due = new SizedSql(names, sql::due);
        this.fetch = new SizedSql(names, sql::fetch);
        this.fetchReady = new SizedSql(names, sql::fetchReady);
        this.holders = names.in(sql.holders());
    }

    /**
     * Forward first, then what was passed by: this must show whatever had committed before a row of the page. A sequence
     * that went backwards needs nothing special, its rows appear among those passed by.
     */
    @Override
    public Page read(ReadRequest request) {
        return session.call("read messages", connection -> {
            List<EarlierRows.Ahead> page = forward(connection, request);
            PassedKeys.Page passed =
                    passedKeys.page(connection, request.lanes(), PassedKeys.Place.of(request.previous()));
            return new Page(earlierRows.link(connection, page, passed), passed.keys(), passed.next(), false);
        });
    }

    private List<EarlierRows.Ahead> forward(Connection connection, ReadRequest request) throws SQLException {
        List<LanePosition> wanted =
                request.lanes().stream().filter(lane -> lane.limit() > 0).toList();
        if (wanted.isEmpty()) {
            return List.of();
        }
        List<EarlierRows.Ahead> page = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(forward.of(wanted.size()))) {
            Values values = new Values(statement).limits(request.limits());
            for (LanePosition lane : wanted) {
                values.number(lane.lane())
                        .number(lane.cursor())
                        .number(lane.horizon())
                        .number(lane.limit());
            }
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    page.add(new EarlierRows.Ahead(rows.map(row, request.limits()), row.getLong(26)));
                }
            }
        }
        page.sort(Comparator.comparing(EarlierRows.Ahead::row, BY_SEQ));
        return page;
    }

    @Override
    public List<StoredMessage> readDue(DueRequest request) {
        if (request.lanes().isEmpty()) {
            return List.of();
        }
        return session.call("read due messages", connection -> {
            try (PreparedStatement statement =
                    connection.prepareStatement(due.of(request.lanes().size()))) {
                Values values = new Values(statement).limits(request.limits());
                for (DuePosition lane : request.lanes()) {
                    Instant after = Objects.requireNonNullElse(lane.due(), Timestamps.EARLIEST);
                    values.number(lane.lane())
                            .time(timestamps, after)
                            .time(timestamps, after)
                            .number(lane.due() == null ? -1 : lane.seq())
                            .number(request.limitPerLane());
                }
                return messages(connection, statement, request.limits(), BY_DUE);
            }
        });
    }

    /** Found by seq alone, which is unique here; the id then tells whether it is still the same row. */
    @Override
    public List<StoredMessage> fetch(Collection<RowKey> keys, RowLimits limits) {
        if (keys.isEmpty()) {
            return List.of();
        }
        Set<RowKey> wanted = new HashSet<>(keys);
        return session.call("fetch messages", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(fetch.atLeast(keys.size()))) {
                new Values(statement)
                        .limits(limits)
                        .numbers(keys.stream().map(RowKey::seq).toList());
                List<StoredMessage> found = messages(connection, statement, limits, BY_SEQ);
                found.removeIf(message -> !wanted.contains(message.key()));
                return found;
            }
        });
    }

    @Override
    public List<StoredMessage> fetchReady(int lane, Collection<Long> seqs, RowLimits limits) {
        if (seqs.isEmpty()) {
            return List.of();
        }
        return session.call("fetch messages", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(fetchReady.atLeast(seqs.size()))) {
                new Values(statement).limits(limits).number(lane).numbers(List.copyOf(seqs));
                return messages(connection, statement, limits, BY_SEQ);
            }
        });
    }

    private List<StoredMessage> messages(
            Connection connection, PreparedStatement statement, RowLimits limits, Comparator<StoredMessage> order)
            throws SQLException {
        List<StoredMessage> messages = rows.query(statement, limits);
        messages.sort(order);
        return earlierRows.askEach(connection, messages);
    }

    @Override
    public List<Holder> holders(Stream stream, int limit) {
        return session.call("find what holds a stream", connection -> {
            List<Holder> found = new ArrayList<>();
            try (PreparedStatement statement = connection.prepareStatement(holders)) {
                Values values = new Values(statement);
                values.text(stream.tenant()).text(stream.tenant()).text(stream.key());
                values.text(stream.tenant()).text(stream.topic()).text(stream.key());
                values.number(limit);
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        found.add(new Holder(
                                new RowKey(row.getInt(2), row.getLong(3), row.getObject(1, UUID.class)),
                                RowState.of(row.getInt(4)),
                                row.getLong(5),
                                timestamps.get(row, 6)));
                    }
                }
            }
            return found;
        });
    }

    @Override
    public List<Pause> pauses() {
        return session.call("read what is paused", connection -> PauseRows.read(connection, names, timestamps));
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
