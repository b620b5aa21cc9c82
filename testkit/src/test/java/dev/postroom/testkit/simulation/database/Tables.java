package dev.postroom.testkit.simulation.database;

import dev.postroom.FailureReason;
import dev.postroom.Stream;
import dev.postroom.spi.Content;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler.Batch;
import dev.postroom.spi.MessageSettler.Cause;
import dev.postroom.spi.MessageSettler.Failure;
import dev.postroom.spi.MessageSettler.Settled;
import dev.postroom.spi.MessageSettler.Success;
import dev.postroom.spi.RowKey;
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
    private int ids;

    Tables(Personality personality, DatabaseDefect... defects) {
        this.database = new SimulatedDatabase(
                new DatabaseShape(personality, LaneStore.LANES, Long.MAX_VALUE, Set.of(defects)),
                () -> nanos,
                DatabaseObserver.NONE);
    }

    void pass(Duration time) {
        nanos += time.toNanos();
    }

    RowKey insert(WriterTransaction transaction) {
        return transaction.insert(new UUID(7, ++ids), STREAM, CONTENT, null);
    }

    RowKey publish() {
        return publish(STREAM);
    }

    RowKey publish(Stream stream) {
        WriterTransaction transaction = database.begin();
        RowKey key = transaction.insert(new UUID(7, ++ids), stream, CONTENT, null);
        transaction.commit();
        return key;
    }

    /** A row from elsewhere, with a number and a transaction that it had there. */
    RowKey restore(long seq, long tx) {
        return database.restore(new UUID(7, ++ids), STREAM, CONTENT, seq, tx);
    }

    int lane() {
        return database.laneOf(STREAM, new UUID(0, 0));
    }

    RowKey publish(Duration delay) {
        WriterTransaction transaction = database.begin();
        RowKey key = transaction.insert(new UUID(7, ++ids), STREAM, CONTENT, delay);
        transaction.commit();
        return key;
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
}
