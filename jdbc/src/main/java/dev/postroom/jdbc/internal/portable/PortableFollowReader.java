package dev.postroom.jdbc.internal.portable;

import dev.postroom.jdbc.internal.PauseRows;
import dev.postroom.jdbc.internal.Session;
import dev.postroom.jdbc.internal.SizedSql;
import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.Timestamps;
import dev.postroom.jdbc.internal.Values;
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
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Reads for followers from databases that cannot tell which rows committed late, see {@link FollowReader}. */
public final class PortableFollowReader implements FollowReader {
    private final Session session;
    private final FollowSql sql;
    private final Timestamps timestamps;
    private final SqlNames names;
    private final FollowRows rows;
    private final PortableRowSource.Texts texts;
    private final Owing owing;
    private final Map<PageSize, String> pages = new ConcurrentHashMap<>();
    private final SizedSql streams;
    private final SizedSql fetch;

    public PortableFollowReader(Session session, FollowSql sql, Timestamps timestamps, SqlNames names, Owing owing) {
        this.session = session;
        this.sql = sql;
        this.timestamps = timestamps;
        this.names = names;
        this.rows = new FollowRows(timestamps);
        this.texts = new PortableRowSource.Texts(sql, names);
        this.owing = owing;
        this.streams = new SizedSql(names, sql::streams);
        this.fetch = new SizedSql(names, sql::fetch);
    }

    /** Numbers that went backwards need nothing special: the sweep finds what was written since. */
    private record NoMark() implements Mark {
        @Override
        public boolean tellsLateRows() {
            return false;
        }
    }

    /** How many places a page's statement has. Those that are left over are filled with what finds nothing. */
    private record PageSize(int ranges, int dueLanes, int spans) {
        static PageSize of(PageRequest request) {
            return new PageSize(
                    padded(request.ranges().size()),
                    padded(request.due().lanes().size()),
                    padded(request.sweep().spans().size()));
        }

        private static int padded(int size) {
            return size == 0 ? 0 : SizedSql.padded(size);
        }
    }

    @Override
    public PageAnswer read(PageRequest request) {
        return session.call("read messages", connection -> {
            PageSize size = PageSize.of(request);
            String text = pages.computeIfAbsent(size, n -> names.in(sql.page(n.ranges(), n.dueLanes(), n.spans())));
            try (PreparedStatement statement = connection.prepareStatement(text)) {
                bind(new Values(statement), request, size);
                try (ResultSet found = statement.executeQuery()) {
                    return page(connection, found, request);
                }
            }
        });
    }

    private void bind(Values values, PageRequest request, PageSize size) throws SQLException {
        weight(values, RowWeight.of(request));
        for (int n = 0; n < size.ranges(); n++) {
            boolean given = n < request.ranges().size();
            Range range = given ? request.ranges().get(n) : new Range(0, 0, 0, 1);
            values.number(range.lane())
                    .number(range.after())
                    .number(range.upTo())
                    .number(given ? range.limit() : 0);
        }
        for (int n = 0; n < size.dueLanes(); n++) {
            boolean given = n < request.due().lanes().size();
            DuePosition lane = given ? request.due().lanes().get(n) : DuePosition.beginning(0);
            Instant after = Objects.requireNonNullElse(lane.due(), Timestamps.EARLIEST);
            values.number(lane.lane())
                    .time(timestamps, after)
                    .time(timestamps, after)
                    .number(lane.due() == null ? -1 : lane.seq())
                    .number(given ? request.due().limit() : 0);
        }
        for (int n = 0; n < size.spans(); n++) {
            boolean given = n < request.sweep().spans().size();
            Span span = given ? request.sweep().spans().get(n) : new Span(0, 0, 0);
            values.number(span.lane()).number(span.after()).number(span.upTo());
        }
        if (size.spans() > 0) {
            values.number(request.sweep().limit());
        }
    }

    static Values weight(Values values, RowWeight weight) throws SQLException {
        return values.number(weight.headers())
                .number(weight.payload())
                .number(weight.payload())
                .number(weight.headers());
    }

    private PageAnswer page(Connection connection, ResultSet found, PageRequest request) throws SQLException {
        FoundPage page = new FoundPage(request);
        long last = 0;
        Instant at = Instant.EPOCH;
        while (found.next()) {
            long place = found.getLong(27);
            if (place == Place.FACTS) {
                last = found.getLong(3);
                at = timestamps.require(found, 14);
            } else {
                page.add(found, rows, place);
            }
        }
        PortableRowSource source = new PortableRowSource(connection, texts, rows, owing, page.sweptWholly());
        return page.answer(source, last, new NoMark(), at);
    }

    /** No page is ever cut for its late rows. */
    @Override
    public LateFloor lateFloor(Mark previous, List<Reach> reaches, int limit) {
        return new LateFloor.Part(List.of(), previous, true);
    }

    @Override
    public StreamRead readStreams(List<StreamRead.Ask> asks, ReadBounds bounds) {
        return session.call("read streams", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(streams.atLeast(asks.size()))) {
                Values values = new Values(statement);
                long most = asks.stream().mapToLong(StreamRead.Ask::limit).sum();
                weight(values, RowWeight.of(bounds, most));
                for (int n = 0; n < SizedSql.padded(asks.size()); n++) {
                    StreamRead.Ask ask = asks.get(Math.min(n, asks.size() - 1));
                    for (int kind = 0; kind < 3; kind++) {
                        values.number(ask.stream()).number(ask.after()).number(n < asks.size() ? ask.limit() : 0);
                    }
                }
                FoundStreams found = new FoundStreams(asks, bounds);
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        found.add(row, rows, timestamps);
                    }
                }
                return found.answer(source(connection));
            }
        });
    }

    private PortableRowSource source(Connection connection) {
        return new PortableRowSource(connection, texts, rows, owing, null);
    }

    @Override
    public List<Held> holders(Collection<Long> ids) {
        return session.call(
                "find what holds streams",
                connection -> source(connection).holders(ids).all());
    }

    /** Found by seq alone, which is unique here; the id then tells whether it is still the same row. */
    @Override
    public List<FollowedMessage> fetch(Collection<RowKey> keys, ReadBounds bounds) {
        if (keys.isEmpty()) {
            return List.of();
        }
        Set<RowKey> wanted = new HashSet<>(keys);
        return session.call("fetch messages", connection -> {
            List<FoundRow> found = new ArrayList<>();
            try (PreparedStatement statement = connection.prepareStatement(fetch.atLeast(keys.size()))) {
                weight(new Values(statement), RowWeight.of(bounds, keys.size()))
                        .numbers(keys.stream().map(RowKey::seq).toList());
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        found.add(rows.map(row, bounds));
                    }
                }
            }
            found.removeIf(row -> !wanted.contains(row.key()));
            found.sort(Comparator.comparingLong(FoundRow::seq));
            return new Answers(source(connection), bounds).within(found);
        });
    }

    @Override
    public Pauses pauses() {
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
