package dev.postroom.benchmark;

import dev.postroom.spi.FollowReader;
import dev.postroom.spi.FollowReader.Mark;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.Owing;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageAnswer.RangeRows;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.PageRequest.Due;
import dev.postroom.spi.PageRequest.Range;
import dev.postroom.spi.PageRequest.Reach;
import dev.postroom.spi.PageRequest.Sweep;
import dev.postroom.spi.ReadBounds;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One thread that follows all lanes and settles what it read: a relay whose transport costs nothing. While there is a backlog, all
 * lanes read up to the same horizon: rows of one time lie on the same pages, and if every lane took equally many rows each time,
 * lanes would drift apart and every row would be on a page of its own. Nobody writes meanwhile, so that no row is late.
 */
final class StoreLoop implements AutoCloseable {
    private static final int PAGE = 4_096;
    private static final ReadBounds BOUNDS = new ReadBounds(RowLimits.ofPayload(1 << 20), 64L << 20);

    private final FollowReader reader;
    private final MessageSettler settler;
    private final boolean archive;
    private final long[] positions = new long[LaneStore.LANES];
    private long position;
    private boolean bounded;
    private @Nullable Mark mark;

    StoreLoop(Store store, boolean archive) {
        this.reader = store.openFollowReader(Owing.EVERYWHERE);
        this.settler = store.openSettler();
        this.archive = archive;
    }

    /** Reads and settles one page; how many messages it had. */
    int turn() {
        PageAnswer.Page page = (PageAnswer.Page) reader.read(request());
        mark = page.next();
        List<FollowedMessage> rows = new ArrayList<>(page.late());
        for (RangeRows range : page.ranges()) {
            rows.addAll(range.rows());
            positions[range.range().lane()] = range.end();
        }
        if (rows.isEmpty()) {
            boolean beyond = bounded;
            bounded = false;
            return beyond ? turn() : 0;
        }
        advance(page.ranges(), rows.size());
        List<MessageSettler.Success> successes = rows.stream()
                .map(row -> new MessageSettler.Success(row.key(), 1, 1))
                .toList();
        settler.settle(new MessageSettler.Batch("bench", successes, List.of(), archive, List.of()));
        return rows.size();
    }

    private PageRequest request() {
        int limit = bounded ? PAGE : PAGE / LaneStore.LANES;
        List<Reach> reaches = IntStream.range(0, positions.length)
                .mapToObj(lane -> new Reach(lane, positions[lane]))
                .toList();
        List<Range> ranges = IntStream.range(0, positions.length)
                .mapToObj(lane -> new Range(lane, positions[lane], horizon(lane), limit))
                .toList();
        return new PageRequest(mark, reaches, ranges, PAGE, Due.NONE, Sweep.NONE, BOUNDS);
    }

    private long horizon(int lane) {
        return bounded ? Math.max(positions[lane], position + PAGE) : Long.MAX_VALUE;
    }

    /** A page within the horizon moves it on; one without shows where the slowest lane stands. */
    private void advance(List<RangeRows> ranges, int rows) {
        if (bounded) {
            position += PAGE;
            bounded = rows >= PAGE / 4;
            return;
        }
        position = ranges.stream()
                .filter(RangeRows::cut)
                .mapToLong(RangeRows::end)
                .min()
                .orElse(Long.MAX_VALUE);
        bounded = position < Long.MAX_VALUE;
    }

    @Override
    public void close() {
        reader.close();
        settler.close();
    }
}
