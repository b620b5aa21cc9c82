package dev.postroom.testkit.simulation.database;

import dev.postroom.FailureReason;
import dev.postroom.Stream;
import dev.postroom.spi.Content;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageReader.LanePosition;
import dev.postroom.spi.MessageReader.Mark;
import dev.postroom.spi.MessageReader.Page;
import dev.postroom.spi.MessageReader.ReadRequest;
import dev.postroom.spi.MessageSettler.Batch;
import dev.postroom.spi.MessageSettler.Cause;
import dev.postroom.spi.MessageSettler.Failure;
import dev.postroom.spi.MessageSettler.Settled;
import dev.postroom.spi.MessageSettler.Success;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/** A simulated database, with the calls that its tests make. */
final class Tables {
    static final Stream STREAM = new Stream("", "orders", "k");
    static final Duration LEASE = Duration.ofSeconds(10);
    static final List<Integer> ALL_LANES =
            IntStream.range(0, LaneStore.LANES).boxed().toList();

    private static final Content CONTENT = new Content(null, "text/plain", null, Map.of(), new byte[10], null);

    long nanos;
    final SimulatedDatabase database;
    private Mark mark;
    private int ids;

    Tables(Personality personality, DatabaseDefect... defects) {
        this.database = new SimulatedDatabase(
                personality, LaneStore.LANES, Set.of(defects), () -> nanos, DatabaseObserver.NONE);
    }

    void pass(Duration time) {
        nanos += time.toNanos();
    }

    RowKey insert(WriterTransaction transaction) {
        return transaction.insert(new UUID(7, ++ids), STREAM, CONTENT, null);
    }

    RowKey publish() {
        return publish(null);
    }

    RowKey publish(Duration delay) {
        WriterTransaction transaction = database.begin();
        RowKey key = transaction.insert(new UUID(7, ++ids), STREAM, CONTENT, delay);
        transaction.commit();
        return key;
    }

    /** Reads the lane of {@link #STREAM} on from the mark of the read before. */
    Page read(long cursor, int limit) {
        int lane = database.laneOf(STREAM, new UUID(0, 0));
        Page page = database.reader()
                .read(new ReadRequest(mark, List.of(new LanePosition(lane, cursor, limit)), RowLimits.ofPayload(100)));
        mark = page.next();
        return page;
    }

    List<LaneStore.Lease> acquire(String owner) {
        return database.lanes().acquire(owner, ALL_LANES, LEASE);
    }

    LaneStore.Lease lease(List<LaneStore.Lease> leases, RowKey key) {
        return leases.stream()
                .filter(lease -> lease.lane() == key.lane())
                .findFirst()
                .orElseThrow();
    }

    Settled fail(String owner, RowKey key, int version, long epoch, Duration retryAfter) {
        Failure failure = new Failure(
                key, version, epoch, 1, retryAfter, true, 0, new Cause(FailureReason.HANDLER_EXCEPTION, "no", "a"));
        return database.settler().settle(new Batch(owner, List.of(), List.of(failure), true, List.of()));
    }

    Settled succeed(String owner, RowKey key, long confirmed, long route) {
        return database.settler()
                .settle(new Batch(owner, List.of(new Success(key, confirmed, route)), List.of(), true, List.of()));
    }

    static List<RowKey> keys(List<StoredMessage> rows) {
        return rows.stream().map(StoredMessage::key).toList();
    }
}
