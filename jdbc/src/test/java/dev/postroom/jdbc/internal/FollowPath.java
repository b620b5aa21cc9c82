package dev.postroom.jdbc.internal;

import static dev.postroom.jdbc.internal.HotPath.PAGE;
import static dev.postroom.jdbc.internal.HotPath.PER_LANE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.spi.FollowReader;
import dev.postroom.spi.FollowReader.Mark;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.Owing;
import dev.postroom.spi.PageAnswer.Page;
import dev.postroom.spi.PageAnswer.RangeRows;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.PageRequest.Due;
import dev.postroom.spi.PageRequest.DuePosition;
import dev.postroom.spi.PageRequest.Range;
import dev.postroom.spi.PageRequest.Reach;
import dev.postroom.spi.PageRequest.Span;
import dev.postroom.spi.PageRequest.Sweep;
import dev.postroom.spi.ReadBounds;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.Store;
import dev.postroom.spi.StoredMessage;
import dev.postroom.spi.StreamRead;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What a follower reads again and again, one step after the other, over the same rows as {@link HotPath}. */
public final class FollowPath {
    private static final ReadBounds BOUNDS = new ReadBounds(new RowLimits(1 << 20, 64, 1 << 14), 16 << 20);
    private static final int LATE_LIMIT = 100;
    private static final int STREAMS = 16;

    private final Store store;
    private final HotPath.Check check;

    public FollowPath(Store store, HotPath.Check check) {
        this.store = store;
        this.check = check;
    }

    public void read() {
        try (FollowReader reader = store.openFollowReader(Owing.EVERYWHERE)) {
            Page first = page(reader, null, new long[LaneStore.LANES], Due.NONE, Sweep.NONE);
            List<FollowedMessage> rows = rows(first);
            assertThat(rows).hasSize(PAGE);
            check.after("the first page");
            long[] positions = positions(first);
            Page next = page(reader, first.next(), positions, Due.NONE, Sweep.NONE);
            check.after("the next page");
            Page due = page(reader, next.next(), positions, due(), Sweep.NONE);
            assertThat(due.due().rows()).hasSizeBetween(1, PAGE);
            check.after("a page with what is due");
            Page swept = page(reader, due.next(), positions, Due.NONE, sweep(positions));
            assertThat(swept.swept().rows()).hasSize(PAGE);
            check.after("a page with a sweep");
            reader.lateFloor(swept.next(), reaches(positions), LATE_LIMIT); // not all databases ask anything for it
            assertThat(reader.fetch(rows.stream().map(FollowedMessage::key).toList(), BOUNDS))
                    .hasSize(PAGE);
            check.after("the lowest late row, and fetching by key");
            List<StreamRead.Ask> asks = rows.stream()
                    .limit(STREAMS)
                    .map(row -> StreamRead.Ask.all(row.stream(), PER_LANE))
                    .toList();
            assertThat(reader.readStreams(asks, BOUNDS).streams()).hasSize(STREAMS);
            check.after("reading streams");
            reader.holders(rows.stream().map(FollowedMessage::stream).toList());
            check.after("finding what holds streams");
        }
    }

    static List<StoredMessage> messages(Page page) {
        return rows(page).stream().map(FollowedMessage::message).toList();
    }

    private static List<FollowedMessage> rows(Page page) {
        return page.ranges().stream().flatMap(range -> range.rows().stream()).toList();
    }

    static Page page(FollowReader reader, @Nullable Mark mark, long[] positions) {
        return page(reader, mark, positions, Due.NONE, Sweep.NONE);
    }

    private static Page page(FollowReader reader, @Nullable Mark mark, long[] positions, Due due, Sweep sweep) {
        List<Range> ranges = IntStream.range(0, LaneStore.LANES)
                .mapToObj(lane -> new Range(lane, positions[lane], Long.MAX_VALUE, PER_LANE))
                .toList();
        return (Page) reader.read(new PageRequest(mark, reaches(positions), ranges, LATE_LIMIT, due, sweep, BOUNDS));
    }

    static long[] positions(Page page) {
        return page.ranges().stream().mapToLong(RangeRows::end).toArray();
    }

    private static List<Reach> reaches(long[] positions) {
        return IntStream.range(0, LaneStore.LANES)
                .mapToObj(lane -> new Reach(lane, positions[lane]))
                .toList();
    }

    private static Due due() {
        return new Due(
                IntStream.range(0, LaneStore.LANES)
                        .mapToObj(DuePosition::beginning)
                        .toList(),
                PER_LANE);
    }

    private static Sweep sweep(long[] positions) {
        return new Sweep(
                IntStream.range(0, LaneStore.LANES)
                        .mapToObj(lane -> new Span(lane, 0, positions[lane]))
                        .toList(),
                PAGE);
    }
}
