package dev.postroom.engine;

import dev.postroom.operations.Pause;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.MessageSettler.Batch;
import dev.postroom.spi.MessageSettler.Failure;
import dev.postroom.spi.MessageSettler.Success;
import dev.postroom.spi.Owing;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.PageRequest.DuePosition;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import dev.postroom.spi.StreamRead;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a test has put into the database, and what reads say of them. Whatever was put in since the page before is late
 * if its number is low enough, also a row that was there.
 */
final class HandFedTable {
    /** How often something had been put in. */
    private record Mark(long puts) implements FollowReader.Mark {}

    private record Row(StoredMessage message, long put) {}

    /** From here on, foreign writers have given numbers, and no sequence. */
    private static final long NOT_DRAWN = Long.MAX_VALUE / 2;

    private final Owing owing;
    private final NavigableMap<Long, Row> rows = new TreeMap<>();
    private long puts;
    List<Pause> pauses = List.of();

    HandFedTable(Owing owing) {
        this.owing = owing;
    }

    void put(StoredMessage... messages) {
        puts++;
        for (StoredMessage message : messages) {
            rows.put(message.key().seq(), new Row(message, puts));
        }
    }

    void remove(StoredMessage message) {
        rows.remove(message.key().seq());
    }

    // --- settling ---

    void settle(Batch batch, Set<UUID> stale, Instant now) {
        batch.successes().forEach(this::succeed);
        batch.failures().stream()
                .filter(failure -> !stale.contains(failure.key().id()))
                .forEach(failure -> fail(failure, now));
    }

    private void succeed(Success success) {
        StoredMessage row = find(success.key());
        if (row != null) {
            long completed = row.progress().completed() | success.confirmed();
            if ((success.route() & ~completed) == 0) {
                rows.remove(row.key().seq());
            } else {
                StoredMessage.Progress was = row.progress();
                change(row, was.state(), was.attempts(), completed, was.version(), row.due());
            }
        }
    }

    private void fail(Failure failure, Instant now) {
        StoredMessage row = find(failure.key());
        if (row != null) {
            boolean dead = failure.retryAfter() == null;
            change(
                    row,
                    dead ? RowState.DEAD : RowState.WAITING,
                    failure.attempts(),
                    row.progress().completed() | failure.confirmed(),
                    failure.version() + 1,
                    dead ? null : now.plus(failure.retryAfter()));
        }
    }

    private @Nullable StoredMessage find(RowKey key) {
        Row row = rows.get(key.seq());
        return row != null && row.message().key().equals(key) ? row.message() : null;
    }

    private void change(
            StoredMessage row, RowState state, int attempts, long completed, int version, @Nullable Instant due) {
        StoredMessage.Progress was = row.progress();
        StoredMessage.Progress is = new StoredMessage.Progress(
                state, attempts, was.crashes(), completed, was.released(), was.onlyDestination(), version);
        StoredMessage changed = HandFedEngine.with(row, is, due);
        rows.computeIfPresent(row.key().seq(), (seq, known) -> new Row(changed, known.put()));
    }

    // --- reading ---

    PageAnswer.Page page(PageRequest request, Instant now) {
        long seen = request.previous() instanceof Mark mark ? mark.puts() : Long.MAX_VALUE;
        List<FollowedMessage> late = new ArrayList<>();
        for (Row row : rows.values()) {
            if (row.put() > seen
                    && isReady(row.message())
                    && isReached(row.message().key(), request.reaches())) {
                late.add(read(row.message()));
            }
        }
        return new PageAnswer.Page(
                late,
                request.ranges().stream().map(this::range).toList(),
                due(request.due(), now),
                swept(request.sweep()),
                new Mark(puts),
                now);
    }

    private static boolean isReady(StoredMessage row) {
        return row.progress().state() == RowState.READY;
    }

    private static boolean isReached(RowKey key, List<PageRequest.Reach> reaches) {
        return reaches.stream().anyMatch(reach -> reach.lane() == key.lane() && key.seq() <= reach.highest());
    }

    private PageAnswer.RangeRows range(PageRequest.Range range) {
        List<FollowedMessage> found = new ArrayList<>();
        for (StoredMessage row : between(range.lane(), range.after(), range.upTo())) {
            if (found.size() == range.limit()) {
                return new PageAnswer.RangeRows(
                        range, found, found.get(found.size() - 1).seq(), true);
            }
            found.add(read(row));
        }
        Long highest = rows.lowerKey(NOT_DRAWN);
        long last = Math.max(
                highest == null ? 0 : highest,
                found.isEmpty() ? 0 : found.get(found.size() - 1).seq());
        return new PageAnswer.RangeRows(range, found, Math.max(range.after(), Math.min(range.upTo(), last)), false);
    }

    private List<StoredMessage> between(int lane, long after, long upTo) {
        return rows.subMap(after, false, upTo, true).values().stream()
                .map(Row::message)
                .filter(row -> isReady(row) && row.key().lane() == lane)
                .toList();
    }

    private PageAnswer.DueRows due(PageRequest.Due due, Instant now) {
        List<FollowedMessage> found = new ArrayList<>();
        List<PageAnswer.DueEnd> ends = new ArrayList<>();
        for (DuePosition from : due.lanes()) {
            List<StoredMessage> all = rows.values().stream()
                    .map(Row::message)
                    .filter(row -> row.key().lane() == from.lane() && isDue(row, from, now))
                    .sorted(Comparator.comparing(HandFedTable::time)
                            .thenComparing(row -> row.key().seq()))
                    .toList();
            all.stream().limit(due.limit()).map(this::read).forEach(found::add);
            StoredMessage last = all.isEmpty() ? null : all.get(Math.min(all.size(), due.limit()) - 1);
            ends.add(new PageAnswer.DueEnd(
                    last == null
                            ? from
                            : new DuePosition(
                                    from.lane(), last.due(), last.key().seq()),
                    all.size() > due.limit()));
        }
        return new PageAnswer.DueRows(found, ends);
    }

    private static Instant time(StoredMessage row) {
        return Objects.requireNonNull(row.due());
    }

    private static boolean isDue(StoredMessage row, DuePosition from, Instant now) {
        if (row.progress().state() == RowState.DEAD
                || row.due() == null
                || row.due().isAfter(now)) {
            return false;
        }
        int compared = from.due() == null ? 1 : row.due().compareTo(from.due());
        return compared > 0 || (compared == 0 && row.key().seq() > from.seq());
    }

    private PageAnswer.Swept swept(PageRequest.Sweep sweep) {
        List<PageAnswer.SweptRow> found = new ArrayList<>();
        for (PageRequest.Span span : sweep.spans()) {
            for (StoredMessage row : between(span.lane(), span.after(), span.upTo())) {
                found.add(new PageAnswer.SweptRow(
                        row.key(),
                        id(row),
                        row.stream(),
                        row.content().type(),
                        row.progress().onlyDestination(),
                        row.progress().completed(),
                        row.progress().released()));
            }
        }
        return new PageAnswer.Swept(
                found, sweep.spans().stream().map(PageRequest.Span::upTo).toList());
    }

    StreamRead streams(List<StreamRead.Ask> asks, Instant now) {
        return new StreamRead(asks.stream().map(this::stream).toList(), now);
    }

    private StreamRead.Rows stream(StreamRead.Ask ask) {
        List<FollowedMessage> found = new ArrayList<>();
        long end = ask.after();
        for (StoredMessage row : ofStream(ask.stream(), seq -> seq > ask.after())) {
            if (found.size() == ask.limit()) {
                return new StreamRead.Rows(ask, found, end, true);
            }
            end = row.key().seq();
            if ((row.progress().completed() & ask.destination()) == 0) {
                found.add(new FollowedMessage(row, ask.stream(), true, 0, List.of()));
            }
        }
        return new StreamRead.Rows(ask, found, end, false);
    }

    private List<StoredMessage> ofStream(long stream, Predicate<Long> seqs) {
        return rows.entrySet().stream()
                .filter(row -> seqs.test(row.getKey()))
                .map(Map.Entry::getValue)
                .map(Row::message)
                .filter(row -> row.stream().isOrdered()
                        && id(row) == stream
                        && !row.progress().released())
                .toList();
    }

    List<FollowReader.Held> held(Set<Long> streams) {
        List<FollowReader.Held> held = new ArrayList<>();
        for (long stream : streams) {
            long destinations = heldBy(ofStream(stream, seq -> true));
            if (destinations != 0) {
                held.add(new FollowReader.Held(stream, destinations));
            }
        }
        return held;
    }

    private long heldBy(List<StoredMessage> earlier) {
        long destinations = 0;
        for (StoredMessage row : earlier) {
            RowState state = row.progress().state();
            if (state == RowState.WAITING || state == RowState.DEAD) {
                destinations |=
                        owing.destinations(row.stream().topic(), row.progress().onlyDestination())
                                & ~row.progress().completed();
            }
        }
        return destinations;
    }

    private FollowedMessage read(StoredMessage row) {
        boolean ordered = row.stream().isOrdered() && !row.progress().released();
        long heldAt = ordered ? heldBy(ofStream(id(row), seq -> seq < row.key().seq())) : 0;
        return new FollowedMessage(row, id(row), true, heldAt, List.of());
    }

    private static long id(StoredMessage row) {
        return Objects.hash(row.stream().tenant(), row.stream().key());
    }
}
