package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.postroom.spi.StreamRead;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The simplest reader that follows the rules of {@link FollowReader}: one follower in every lane that takes READY rows for all
 * destinations, each once, in an order that keeps every stream's.
 */
final class ReferenceFollower {
    static final ReadBounds BOUNDS = new ReadBounds(RowLimits.ofPayload(Integer.MAX_VALUE), 16 << 20);

    /** Reads in a row that bring nothing new, after which there is nothing: the sweep goes round meanwhile. */
    private static final int QUIET = 3;

    private final FollowReader reader;
    private final Map<Integer, Long> positions = new TreeMap<>();
    private final Set<UUID> taken = new HashSet<>();
    private final Set<Long> knownSeqs = new HashSet<>();
    private FollowReader.@Nullable Mark mark;
    private int limit = 1_000;
    private int lateLimit = 1_000;
    private int cuts;

    ReferenceFollower(FollowReader reader) {
        this.reader = reader;
        StoreContract.ALL_LANES.forEach(lane -> positions.put(lane, 0L));
    }

    ReferenceFollower limit(int rowsPerLane) {
        this.limit = rowsPerLane;
        return this;
    }

    ReferenceFollower lateLimit(int rows) {
        this.lateLimit = rows;
        return this;
    }

    /** How often a late part was cut off. */
    int cuts() {
        return cuts;
    }

    long position(int lane) {
        return positions.getOrDefault(lane, 0L);
    }

    FollowReader port() {
        return reader;
    }

    /** Reads until nothing comes any more. */
    List<FollowedMessage> readAll() {
        List<FollowedMessage> all = new ArrayList<>();
        for (int quiet = 0; quiet < QUIET; ) {
            List<FollowedMessage> fresh = read();
            quiet = fresh.isEmpty() ? quiet + 1 : 0;
            all.addAll(fresh);
        }
        return all;
    }

    /** One page, and what it leads to; rows that were taken before are left out. */
    List<FollowedMessage> read() {
        PageAnswer answer = reader.read(request());
        if (answer instanceof PageAnswer.Restart) {
            mark = null;
            positions.replaceAll((lane, position) -> 0L);
            return List.of();
        }
        if (answer instanceof PageAnswer.LateCut) {
            cuts++;
            goBack();
            return List.of();
        }
        return take((Page) answer);
    }

    private PageRequest request() {
        List<Reach> reaches = reaches();
        List<Range> ranges = new ArrayList<>();
        List<Span> spans = new ArrayList<>();
        positions.forEach((lane, position) -> {
            ranges.add(new Range(lane, position, Long.MAX_VALUE, limit));
            spans.add(new Span(lane, 0, position));
        });
        return new PageRequest(mark, reaches, ranges, lateLimit, Due.NONE, new Sweep(spans, 10_000), BOUNDS);
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

    private List<FollowedMessage> take(Page page) {
        List<FollowedMessage> fresh = new ArrayList<>();
        List<FollowedMessage> rows = new ArrayList<>(page.late());
        page.ranges().forEach(range -> rows.addAll(range.rows()));
        rows.stream().sorted(Comparator.comparingLong(FollowedMessage::seq)).forEach(row -> {
            boolean late = row.earlier().stream().anyMatch(earlier -> !knownSeqs.contains(earlier.seq()));
            if (late || (row.heldAt() != 0 && row.earlier().isEmpty())) {
                fresh.addAll(takeStream(row.stream()));
            }
            take(row, fresh);
        });
        page.ranges().forEach(range -> positions.put(range.range().lane(), range.end()));
        mark = page.next();
        fetchUnknown(page, fresh);
        return fresh;
    }

    /** Ready rows of a stream from its lowest. */
    private List<FollowedMessage> takeStream(long stream) {
        List<FollowedMessage> fresh = new ArrayList<>();
        StreamRead read = reader.readStreams(List.of(StreamRead.Ask.all(stream, 10_000)), BOUNDS);
        for (FollowedMessage row : read.streams().get(0).rows()) {
            if (row.message().progress().state() == RowState.READY) {
                take(row, fresh);
            }
        }
        return fresh;
    }

    private void take(FollowedMessage row, List<FollowedMessage> fresh) {
        if (taken.add(row.key().id())) {
            knownSeqs.add(row.seq());
            fresh.add(row);
        }
    }

    private void fetchUnknown(Page page, List<FollowedMessage> fresh) {
        List<RowKey> unknown = new ArrayList<>();
        page.swept().rows().forEach(row -> {
            if (!taken.contains(row.key().id())) {
                unknown.add(row.key());
            }
        });
        if (!unknown.isEmpty()) {
            reader.fetch(unknown, BOUNDS).forEach(row -> take(row, fresh));
        }
    }

    /** The page as the port answers it. */
    Page page(PageRequest request) {
        PageAnswer answer = reader.read(request);
        assertThat(answer).isInstanceOf(Page.class);
        return (Page) answer;
    }
}
