package dev.postroom.benchmark;

import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageReader;
import dev.postroom.spi.MessageReader.LanePosition;
import dev.postroom.spi.MessageReader.Mark;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.Store;
import dev.postroom.spi.StoredMessage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One thread that reads by the reading rule and settles what it read: a relay whose transport costs nothing. While there
 * is a backlog, all lanes read up to the same horizon: rows of one time lie on the same pages, and if every lane took
 * equally many rows each time, lanes would drift apart and every row would be on a page of its own.
 */
final class StoreLoop implements AutoCloseable {
    private static final int PAGE = 4_096;
    private static final RowLimits LIMITS = RowLimits.ofPayload(1 << 20);

    private final MessageReader reader;
    private final MessageSettler settler;
    private final boolean archive;
    private final long[] cursors = new long[LaneStore.LANES];
    private long position;
    private boolean bounded;
    private @Nullable Mark mark;

    StoreLoop(Store store, boolean archive) {
        this.reader = store.openReader();
        this.settler = store.openSettler();
        this.archive = archive;
    }

    /** Reads and settles one page; how many messages it had. */
    int turn() {
        MessageReader.Page page = reader.read(request());
        mark = page.next();
        List<StoredMessage> rows = new ArrayList<>(page.rows());
        // Settled before the next read begins, so whatever is behind a cursor and not in this page committed late.
        Set<RowKey> read = new HashSet<>(rows.stream().map(StoredMessage::key).toList());
        List<RowKey> late =
                page.passed().stream().filter(key -> !read.contains(key)).toList();
        if (!late.isEmpty()) {
            rows.addAll(reader.fetch(late, LIMITS));
        }
        if (rows.isEmpty()) {
            boolean beyond = bounded;
            bounded = false;
            return beyond ? turn() : 0;
        }
        List<MessageSettler.Success> successes = new ArrayList<>(rows.size());
        for (StoredMessage row : rows) {
            cursors[row.key().lane()] =
                    Math.max(cursors[row.key().lane()], row.key().seq());
            successes.add(new MessageSettler.Success(row.key(), 1, 1));
        }
        advance(page.rows());
        settler.settle(new MessageSettler.Batch("bench", successes, List.of(), archive, List.of()));
        return rows.size();
    }

    private MessageReader.ReadRequest request() {
        int limit = bounded ? PAGE : PAGE / LaneStore.LANES;
        long horizon = bounded ? position + PAGE : Long.MAX_VALUE;
        List<LanePosition> positions = IntStream.range(0, cursors.length)
                .mapToObj(lane -> new LanePosition(lane, cursors[lane], horizon, limit))
                .toList();
        return new MessageReader.ReadRequest(mark, positions, LIMITS);
    }

    /** A page within the horizon moves it on; one without shows where the slowest lane stands. */
    private void advance(List<StoredMessage> rows) {
        if (bounded) {
            position += PAGE;
            bounded = rows.size() >= PAGE / 4;
            return;
        }
        int[] counts = new int[cursors.length];
        rows.forEach(row -> counts[row.key().lane()]++);
        position = IntStream.range(0, cursors.length)
                .filter(lane -> counts[lane] >= PAGE / LaneStore.LANES)
                .mapToLong(lane -> cursors[lane])
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
