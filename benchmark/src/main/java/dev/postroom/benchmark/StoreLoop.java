package dev.postroom.benchmark;

import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageReader;
import dev.postroom.spi.MessageReader.LanePosition;
import dev.postroom.spi.MessageReader.Mark;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.Store;
import dev.postroom.spi.StoredMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One thread that reads by the reading rule and settles what it read: a relay whose transport costs nothing. Lanes that
 * are ahead wait for the others: rows of one time lie on the same pages, and if every lane took equally many rows each
 * time, lanes would drift apart and every row would be on a page of its own.
 */
final class StoreLoop implements AutoCloseable {
    private static final int PAGE = 4_096;

    private final MessageReader reader;
    private final MessageSettler settler;
    private final boolean archive;
    private final long[] cursors = new long[LaneStore.LANES];
    private final boolean[] exhausted = new boolean[LaneStore.LANES];
    private @Nullable Mark mark;

    StoreLoop(Store store, boolean archive) {
        this.reader = store.openReader();
        this.settler = store.openSettler();
        this.archive = archive;
    }

    /** Reads and settles one page; how many messages it had. */
    int turn() {
        List<LanePosition> positions = positions();
        MessageReader.Page page = reader.read(new MessageReader.ReadRequest(mark, positions, 1 << 20));
        mark = page.next();
        noteExhausted(positions, page.rows());
        List<StoredMessage> rows = new ArrayList<>(page.rows());
        // Settled before the next read begins, so whatever is behind a cursor and not in this page committed late.
        Set<RowKey> read = new HashSet<>(rows.stream().map(StoredMessage::key).toList());
        List<RowKey> late =
                page.passed().stream().filter(key -> !read.contains(key)).toList();
        if (!late.isEmpty()) {
            rows.addAll(reader.fetch(late, 1 << 20));
        }
        if (rows.isEmpty()) {
            return 0;
        }
        List<MessageSettler.Success> successes = new ArrayList<>(rows.size());
        for (StoredMessage row : rows) {
            cursors[row.key().lane()] =
                    Math.max(cursors[row.key().lane()], row.key().seq());
            successes.add(new MessageSettler.Success(row.key(), 1, 1));
        }
        settler.settle(new MessageSettler.Batch("bench", successes, List.of(), archive, List.of()));
        return rows.size();
    }

    private List<LanePosition> positions() {
        long slowest = IntStream.range(0, cursors.length)
                .filter(lane -> !exhausted[lane])
                .mapToLong(lane -> cursors[lane])
                .min()
                .orElse(Long.MAX_VALUE - PAGE);
        long behind = Arrays.stream(cursors)
                .filter(cursor -> cursor <= slowest + PAGE)
                .count();
        int limit = (int) (PAGE / Math.max(1, behind));
        return IntStream.range(0, cursors.length)
                .mapToObj(lane -> new LanePosition(lane, cursors[lane], cursors[lane] <= slowest + PAGE ? limit : 0))
                .toList();
    }

    /** A lane that had less than asked for is at its end: nobody waits for it. */
    private void noteExhausted(List<LanePosition> positions, List<StoredMessage> rows) {
        int[] counts = new int[cursors.length];
        rows.forEach(row -> counts[row.key().lane()]++);
        for (LanePosition position : positions) {
            if (position.limit() > 0) {
                exhausted[position.lane()] = counts[position.lane()] < position.limit();
            }
        }
    }

    @Override
    public void close() {
        reader.close();
        settler.close();
    }
}
