package dev.postroom.testkit.simulation.database;

import dev.postroom.spi.FollowReader;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.Owing;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.PageRequest.DuePosition;
import dev.postroom.spi.PageRequest.Range;
import dev.postroom.spi.Pauses;
import dev.postroom.spi.ReadBounds;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StreamRead;
import dev.postroom.testkit.simulation.database.FollowTransactions.FloorMark;
import dev.postroom.testkit.simulation.database.FollowTransactions.FollowMark;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/** Reads as {@link FollowReader} says; where an answer may be shorter than asked for, it sometimes is. */
final class SimulatedFollowReader implements FollowReader {
    static final int MOST_STREAMS = 64;
    static final int MOST_KEYS = 1_000;

    private static final Comparator<Row> BY_SEQ = Comparator.comparing(row -> Place.of(row.key()));

    private final SimulatedDatabase database;
    private final LiveTable table;
    private final FollowTransactions late;
    private final HoldRule holds;
    private final DoubleSupplier random;

    SimulatedFollowReader(
            SimulatedDatabase database, LiveTable table, FollowTransactions late, Owing owing, DoubleSupplier random) {
        this.database = database;
        this.table = table;
        this.late = late;
        this.holds = new HoldRule(table, database.shape(), owing);
        this.random = random;
    }

    @Override
    public PageAnswer read(PageRequest request) {
        FollowMark previous = (FollowMark) request.previous();
        if (isOfAnother(previous == null ? null : previous.server()) || isBeyondTheEnd(request)) {
            return new PageAnswer.Restart();
        }
        FollowTransactions.Late found = late.late(previous, request.reaches(), request.lateLimit());
        Answer answer = newAnswer(request.bounds());
        for (Row row : found.rows()) {
            if (found.cut() || !answer.hasRoomFor(row)) {
                return new PageAnswer.LateCut();
            }
            answer.add(row);
        }
        if (found.cut()) {
            return new PageAnswer.LateCut();
        }
        List<FollowedMessage> lateRows = answer.take();
        long known = lastKnown(previous);
        List<PageAnswer.RangeRows> ranges = request.ranges().stream()
                .map(range -> range(range, known, answer))
                .toList();
        PageAnswer.DueRows due = due(request.due(), answer);
        return new PageAnswer.Page(
                lateRows,
                ranges,
                due,
                sweep(request.sweep()),
                late.mark(database),
                database.clock().now());
    }

    /** Where late rows are not known, only what is there counts: what is on its way with a lower number would be late for nothing. */
    private long lastKnown(@Nullable FollowMark previous) {
        if (database.shape().personality() == Personality.PORTABLE) {
            return table.highestSeq();
        }
        return previous == null ? database.lastSeq() : previous.lastSeq();
    }

    private boolean isOfAnother(@Nullable Long server) {
        return server != null
                && server != database.server()
                && !database.shape().has(DatabaseDefect.FAILOVER_HIDDEN);
    }

    /** The sequence went backwards. */
    private boolean isBeyondTheEnd(PageRequest request) {
        long highest = 0;
        for (PageRequest.Reach reach : request.reaches()) {
            highest = Math.max(highest, reach.highest());
        }
        for (Range range : request.ranges()) {
            highest = Math.max(highest, range.after());
        }
        return highest > database.lastSeq() && !database.shape().has(DatabaseDefect.FAILOVER_HIDDEN);
    }

    private PageAnswer.RangeRows range(Range range, long known, Answer answer) {
        int limit = answer.limited(range.limit());
        long last = range.after();
        int count = 0;
        boolean cut = false;
        for (Row row : table.ready(range.lane())
                .subMap(Place.after(range.after()), false, Place.after(range.upTo()), true)
                .values()) {
            boolean same = count > 0 && row.key().seq() == last;
            if (!same && (count >= limit || !answer.hasRoomFor(row))) {
                cut = true;
                break;
            }
            answer.add(row);
            last = row.key().seq();
            count++;
        }
        long whole = Math.max(last, Math.min(range.upTo(), known));
        return new PageAnswer.RangeRows(range, answer.take(), cut ? last : whole, cut);
    }

    private PageAnswer.DueRows due(PageRequest.Due due, Answer answer) {
        Instant now = database.clock().now();
        Map<DuePlace, Row> found = new TreeMap<>();
        List<PageAnswer.DueEnd> ends = new ArrayList<>();
        for (DuePosition from : due.lanes()) {
            int left = answer.limited(due.limit());
            DuePosition end = from;
            boolean cut = false;
            Instant after = from.due() == null ? Instant.MIN : from.due();
            for (Map.Entry<DuePlace, Row> entry : table.due(from.lane())
                    .tailMap(new DuePlace(after, Place.after(from.seq())), false)
                    .entrySet()) {
                if (entry.getKey().due().isAfter(now)) {
                    break;
                }
                DuePlace place = entry.getKey();
                boolean same = place.due().equals(end.due()) && place.place().seq() == end.seq();
                if (!same && (left-- == 0 || !answer.hasRoomFor(entry.getValue()))) {
                    cut = true;
                    break;
                }
                answer.weigh(entry.getValue());
                found.put(place, entry.getValue());
                end = new DuePosition(from.lane(), place.due(), place.place().seq());
            }
            ends.add(new PageAnswer.DueEnd(end, cut));
        }
        found.values().forEach(answer::put);
        return new PageAnswer.DueRows(answer.take(), ends);
    }

    private PageAnswer.Swept sweep(PageRequest.Sweep sweep) {
        List<PageAnswer.SweptRow> rows = new ArrayList<>();
        List<Long> ends = new ArrayList<>();
        int left = sweep.limit();
        for (PageRequest.Span span : sweep.spans()) {
            long end = span.after();
            boolean cut = left <= 0;
            if (!cut) {
                for (Row row : table.ready(span.lane())
                        .subMap(Place.after(span.after()), false, Place.after(span.upTo()), true)
                        .values()) {
                    if (left <= 0 && row.key().seq() != end) {
                        cut = true;
                        break;
                    }
                    left--;
                    end = row.key().seq();
                    if (!database.shape().has(DatabaseDefect.NO_SWEEP)) {
                        rows.add(swept(row));
                    }
                }
            }
            ends.add(cut ? end : span.upTo());
        }
        return new PageAnswer.Swept(rows, ends);
    }

    private PageAnswer.SweptRow swept(Row row) {
        return new PageAnswer.SweptRow(
                row.key(),
                table.streamId(row),
                row.stream(),
                row.type(),
                row.onlyDestination(),
                row.completed(),
                row.released());
    }

    @Override
    public LateFloor lateFloor(Mark previous, List<PageRequest.Reach> reaches, int limit) {
        FloorMark search = previous instanceof FloorMark begun
                ? begun
                : new FloorMark((FollowMark) previous, late.mark(database), Long.MIN_VALUE, null, Map.of());
        if (isOfAnother(search.from().server())) {
            return new LateFloor.Restart();
        }
        return late.floor(search, reaches, limit);
    }

    @Override
    public StreamRead readStreams(List<StreamRead.Ask> asks, ReadBounds bounds) {
        requireAtMost(MOST_STREAMS, asks.size(), "streams");
        Answer answer = newAnswer(bounds);
        List<StreamRead.Rows> streams =
                asks.stream().map(ask -> stream(ask, answer)).toList();
        return new StreamRead(streams, database.clock().now());
    }

    private StreamRead.Rows stream(StreamRead.Ask ask, Answer answer) {
        int limit = answer.limited(ask.limit());
        long end = ask.after();
        boolean cut = false;
        int count = 0;
        for (Row row : table.ofStream(ask.stream())
                .tailMap(Place.after(ask.after()), false)
                .values()) {
            boolean wanted = row.isInOrder() && (row.completed() & ask.destination()) == 0;
            boolean same = count > 0 && row.key().seq() == end;
            if (wanted && !same && (count >= limit || !answer.hasRoomFor(row))) {
                cut = true;
                break;
            }
            end = row.key().seq();
            if (wanted) {
                answer.add(row);
                count++;
            }
        }
        List<FollowedMessage> rows = answer.take().stream()
                .map(row -> new FollowedMessage(row.message(), row.stream(), row.holds(), 0, List.of()))
                .toList();
        return new StreamRead.Rows(ask, rows, end, cut);
    }

    @Override
    public List<Held> holders(Collection<Long> streams) {
        requireAtMost(MOST_KEYS, streams.size(), "streams");
        return streams.stream().map(holds::held).filter(Objects::nonNull).toList();
    }

    @Override
    public List<FollowedMessage> fetch(Collection<RowKey> keys, ReadBounds bounds) {
        requireAtMost(MOST_KEYS, keys.size(), "keys");
        Answer answer = newAnswer(bounds);
        keys.stream()
                .map(table::find)
                .filter(Objects::nonNull)
                .filter(row -> row.state() != RowState.DEAD)
                .sorted(BY_SEQ)
                .filter(answer::hasRoomFor)
                .forEach(answer::add);
        return answer.take();
    }

    /** As a reader would have it now. */
    FollowedMessage asRead(Row row) {
        Answer answer = newAnswer(new ReadBounds(dev.postroom.spi.RowLimits.ofPayload(Integer.MAX_VALUE), 1));
        answer.put(row);
        return answer.take().get(0);
    }

    private Answer newAnswer(ReadBounds bounds) {
        return new Answer(table, holds, bounds, database.shape(), random);
    }

    private static void requireAtMost(int most, int asked, String what) {
        if (asked > most) {
            throw new IllegalArgumentException("asks for " + asked + " " + what + ": at most " + most + " a call");
        }
    }

    @Override
    public Pauses pauses() {
        return new Pauses(database.operator().pauses(), database.operator().resumed());
    }

    @Override
    public void close() {}
}
