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
import org.jspecify.annotations.Nullable;

/** One thread that reads by the reading rule and settles what it read: a relay whose transport costs nothing. */
final class StoreLoop implements AutoCloseable {
    private static final int PER_LANE = 16;

    private final MessageReader reader;
    private final MessageSettler settler;
    private final boolean archive;
    private final long[] cursors = new long[LaneStore.LANES];
    private @Nullable Mark mark;

    StoreLoop(Store store, boolean archive) {
        this.reader = store.openReader();
        this.settler = store.openSettler();
        this.archive = archive;
    }

    /** Reads and settles one page; how many messages it had. */
    int turn() {
        MessageReader.Page page = reader.read(new MessageReader.ReadRequest(mark, positions(), 1 << 20));
        mark = page.next();
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
        return Arrays.stream(lanes()).toList();
    }

    private LanePosition[] lanes() {
        LanePosition[] positions = new LanePosition[cursors.length];
        for (int lane = 0; lane < positions.length; lane++) {
            positions[lane] = new LanePosition(lane, cursors[lane], PER_LANE);
        }
        return positions;
    }

    @Override
    public void close() {
        reader.close();
        settler.close();
    }
}
