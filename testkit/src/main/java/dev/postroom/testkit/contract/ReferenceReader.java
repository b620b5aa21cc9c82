package dev.postroom.testkit.contract;

import dev.postroom.spi.FollowReader;
import dev.postroom.spi.FollowReader.LateFloor;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageAnswer.Page;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.PageRequest.Due;
import dev.postroom.spi.PageRequest.Range;
import dev.postroom.spi.PageRequest.Reach;
import dev.postroom.spi.PageRequest.Span;
import dev.postroom.spi.PageRequest.Sweep;
import dev.postroom.spi.ReadBounds;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import dev.postroom.spi.StreamRead;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The simplest reader that follows the rules of {@link FollowReader}: one follower in every lane that takes READY rows for all
 * destinations, each once, in an order that keeps every stream's. What a test asserts about its reads therefore holds for every
 * way a database may obey the rules.
 */
final class ReferenceReader {
    static final ReadBounds BOUNDS = bounds(StoreContract.NO_LIMIT);

    private static final int MOST_READS = 300;
    private static final int EVERYTHING = 10_000;

    private final FollowReader reader;
    private final Map<Integer, Long> positions = new TreeMap<>();
    private final Map<UUID, StoredMessage> memory = new LinkedHashMap<>();
    private FollowReader.@Nullable Mark mark;
    private int limit = 100;
    private int lateLimit = 1_000;
    private ReadBounds bounds = BOUNDS;
    private int restarts;
    private int cuts;

    ReferenceReader(FollowReader reader, Collection<Integer> lanes) {
        this.reader = reader;
        lanes.forEach(this::add);
    }

    static ReadBounds bounds(RowLimits limits) {
        return new ReadBounds(limits, 16 << 20);
    }

    /** Begins to read a lane, from its start. */
    void add(int lane) {
        positions.put(lane, 0L);
    }

    ReferenceReader limitPerLane(int newLimit) {
        limit = newLimit;
        return this;
    }

    ReferenceReader lateLimit(int rows) {
        lateLimit = rows;
        return this;
    }

    ReferenceReader limits(RowLimits newLimits) {
        bounds = bounds(newLimits);
        return this;
    }

    FollowReader port() {
        return reader;
    }

    long position(int lane) {
        return positions.getOrDefault(lane, 0L);
    }

    /** How often the database told it to begin anew. */
    int restarts() {
        return restarts;
    }

    /** How often a late part was cut off. */
    int cuts() {
        return cuts;
    }

    /** The rows with these keys that still exist and are not dead. */
    List<StoredMessage> fetch(Collection<RowKey> keys, RowLimits limits) {
        return reader.fetch(keys, bounds(limits)).stream()
                .map(FollowedMessage::message)
                .toList();
    }

    /** Whether an earlier row of its stream keeps it from any destination now. */
    boolean isHeld(StoredMessage row) {
        return reader.fetch(List.of(row.key()), BOUNDS).get(0).heldAt() != 0;
    }

    /** One page, and what it leads to: what is new, in the order in which a relay would send it. */
    List<StoredMessage> read() {
        PageAnswer answer = reader.read(request());
        if (answer instanceof PageAnswer.Restart) {
            restarts++;
            mark = null;
            positions.replaceAll((lane, position) -> 0L);
            return read();
        }
        if (answer instanceof PageAnswer.LateCut) {
            cuts++;
            goBack();
            return read();
        }
        return take((Page) answer);
    }

    private PageRequest request() {
        List<Range> ranges = new ArrayList<>();
        List<Span> spans = new ArrayList<>();
        positions.forEach((lane, position) -> {
            ranges.add(new Range(lane, position, Long.MAX_VALUE, limit));
            spans.add(new Span(lane, 0, position));
        });
        return new PageRequest(mark, reaches(), ranges, lateLimit, Due.NONE, new Sweep(spans, EVERYTHING), bounds);
    }

    private List<Reach> reaches() {
        List<Reach> reaches = new ArrayList<>();
        positions.forEach((lane, position) -> reaches.add(new Reach(lane, position)));
        return reaches;
    }

    private void goBack() {
        FollowReader.Mark from = mark;
        if (from == null) {
            throw new AssertionError("a late part was cut off though there was no mark");
        }
        for (int calls = 0; calls < 1_000; calls++) {
            LateFloor.Part part = (LateFloor.Part) reader.lateFloor(from, reaches(), lateLimit);
            from = part.next();
            if (part.complete()) {
                part.lowest().forEach(floor -> positions.merge(floor.lane(), floor.highest() - 1, Math::min));
                mark = from;
                return;
            }
        }
        throw new AssertionError("the search for the lowest late row has no end");
    }

    private List<StoredMessage> take(Page page) {
        List<StoredMessage> fresh = new ArrayList<>();
        List<FollowedMessage> rows = new ArrayList<>(page.late());
        page.ranges().forEach(range -> rows.addAll(range.rows()));
        rows.stream().sorted(Comparator.comparingLong(FollowedMessage::seq)).forEach(row -> {
            boolean late = row.earlier().stream().anyMatch(earlier -> !remembers(row, earlier.seq()));
            if (late || (row.heldAt() != 0 && row.earlier().isEmpty())) {
                takeStream(row.stream(), fresh);
            }
            take(row, fresh);
        });
        page.ranges().forEach(range -> positions.put(range.range().lane(), range.end()));
        mark = page.next();
        fetchUnknown(page, fresh);
        return fresh;
    }

    private boolean remembers(FollowedMessage later, long seq) {
        return memory.values().stream()
                .anyMatch(row ->
                        row.key().lane() == later.key().lane() && row.key().seq() == seq);
    }

    /** Ready rows of a stream from its lowest. */
    private void takeStream(long stream, List<StoredMessage> fresh) {
        StreamRead read = reader.readStreams(List.of(StreamRead.Ask.all(stream, EVERYTHING)), bounds);
        for (FollowedMessage row : read.streams().get(0).rows()) {
            if (row.message().progress().state() == RowState.READY) {
                take(row, fresh);
            }
        }
    }

    private void take(FollowedMessage row, List<StoredMessage> fresh) {
        if (memory.putIfAbsent(row.key().id(), row.message()) == null) {
            fresh.add(row.message());
        }
    }

    private void fetchUnknown(Page page, List<StoredMessage> fresh) {
        List<RowKey> unknown = new ArrayList<>();
        page.swept().rows().forEach(row -> {
            if (!memory.containsKey(row.key().id())) {
                unknown.add(row.key());
            }
        });
        if (!unknown.isEmpty()) {
            reader.fetch(unknown, bounds).forEach(row -> take(row, fresh));
        }
    }

    /** Reads until a read brings nothing new. */
    List<StoredMessage> readAll() {
        List<StoredMessage> all = new ArrayList<>();
        for (int reads = 0; reads < MOST_READS; reads++) {
            List<StoredMessage> fresh = read();
            if (fresh.isEmpty()) {
                return all;
            }
            all.addAll(fresh);
        }
        throw new AssertionError("still something new after " + MOST_READS + " reads: " + all.size() + " rows");
    }

    /** Reads until the condition holds for all that it read in this call. */
    List<StoredMessage> readUntil(Predicate<List<StoredMessage>> condition) {
        List<StoredMessage> all = new ArrayList<>();
        for (int reads = 0; reads < MOST_READS; reads++) {
            all.addAll(read());
            if (condition.test(all)) {
                return all;
            }
        }
        throw new AssertionError("not found within " + MOST_READS + " reads; read: " + all);
    }

    /** Reads until so many new rows came; then once more, which must bring nothing. */
    List<StoredMessage> readExactly(int rows) {
        List<StoredMessage> all = readUntil(read -> read.size() >= rows);
        all.addAll(read());
        if (all.size() != rows) {
            throw new AssertionError("expected " + rows + " rows, but read " + all.size() + ": " + all);
        }
        return all;
    }

    /** Forgets rows that were settled, as a relay does. */
    void forget(Collection<StoredMessage> settled) {
        settled.forEach(row -> memory.remove(row.key().id()));
    }
}
