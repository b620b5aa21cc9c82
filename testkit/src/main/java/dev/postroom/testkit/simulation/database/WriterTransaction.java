package dev.postroom.testkit.simulation.database;

import dev.postroom.Stream;
import dev.postroom.spi.Content;
import dev.postroom.spi.RowKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A writer's transaction: what it inserts has its seq at once, and is seen by nobody until it commits. */
public final class WriterTransaction {
    private final SimulatedDatabase database;
    private final long tx;
    private final List<Row> inserted = new ArrayList<>();
    private boolean open = true;

    WriterTransaction(SimulatedDatabase database, long tx) {
        this.database = database;
        this.tx = tx;
    }

    /** Inserts a row, to be delivered after the delay if one is given. */
    public RowKey insert(UUID id, Stream stream, Content content, @Nullable Duration delay) {
        requireOpen();
        RowKey key = new RowKey(database.laneOf(stream, id), database.nextSeq(), id);
        Instant now = database.clock().now();
        Row row = new Row(key, stream, content, tx, new Row.Times(now, delay == null ? null : now.plus(delay)));
        inserted.add(row);
        database.inserted(row);
        return key;
    }

    /** A mark to roll back to. */
    public int savepoint() {
        return inserted.size();
    }

    /** Takes back what was inserted since; its numbers are gone. */
    public List<RowKey> rollbackTo(int savepoint) {
        requireOpen();
        List<Row> undone = inserted.subList(savepoint, inserted.size());
        List<RowKey> keys = undone.stream().map(Row::key).toList();
        undone.forEach(database::undone);
        undone.clear();
        return keys;
    }

    /** Whether its server has ended since it began: then nothing of it will be committed. */
    public boolean isLost() {
        return !database.isRunning(tx);
    }

    /** Makes the rows visible, all at one instant. */
    public List<RowKey> commit() {
        requireOpen();
        if (isLost()) {
            return rollback();
        }
        open = false;
        database.committed(tx, inserted);
        return inserted.stream().map(Row::key).toList();
    }

    /** As if it had never been, but for the numbers it drew. */
    public List<RowKey> rollback() {
        List<RowKey> keys = rollbackTo(0);
        open = false;
        database.committed(tx, List.of());
        return keys;
    }

    private void requireOpen() {
        if (!open) {
            throw new IllegalStateException("the transaction has ended");
        }
    }
}
