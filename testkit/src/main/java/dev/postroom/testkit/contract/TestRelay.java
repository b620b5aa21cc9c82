package dev.postroom.testkit.contract;

import dev.postroom.FailureReason;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.MessageSettler.Batch;
import dev.postroom.spi.MessageSettler.Cause;
import dev.postroom.spi.MessageSettler.Failure;
import dev.postroom.spi.MessageSettler.Settled;
import dev.postroom.spi.MessageSettler.Success;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A relay's hands: owns lanes, and settles as it is told. */
final class TestRelay {
    static final Duration LEASE = Duration.ofMinutes(5);
    static final long A = 1;
    static final long B = 2;

    private final String owner;
    private final LaneStore lanes;
    private final MessageSettler settler;
    private final Map<Integer, LaneStore.Lease> leases = new TreeMap<>();

    TestRelay(String owner, LaneStore lanes, MessageSettler settler) {
        this.owner = owner;
        this.lanes = lanes;
        this.settler = settler;
    }

    TestRelay acquire(List<Integer> wanted) {
        lanes.acquire(owner, wanted, LEASE).forEach(lease -> leases.put(lease.lane(), lease));
        return this;
    }

    String owner() {
        return owner;
    }

    LaneStore lanes() {
        return lanes;
    }

    MessageSettler settler() {
        return settler;
    }

    LaneStore.Lease lease(int lane) {
        LaneStore.Lease lease = leases.get(lane);
        if (lease == null) {
            throw new AssertionError(owner + " does not own lane " + lane);
        }
        return lease;
    }

    Settled settle(List<Success> successes, List<Failure> failures, boolean archive) {
        return settler.settle(new Batch(owner, successes, failures, archive, List.of()));
    }

    /** Delivered everywhere, and kept in the archive. */
    Settled succeed(StoredMessage... rows) {
        return settle(Arrays.stream(rows).map(row -> success(row, A, A)).toList(), List.of(), true);
    }

    static Success success(StoredMessage row, long confirmed, long route) {
        return new Success(row.key(), confirmed, route);
    }

    /** Failed, and to be tried again after this time. */
    Settled fail(StoredMessage row, Duration retryAfter) {
        return settle(List.of(), List.of(failure(row, retryAfter)), true);
    }

    /** Failed for the last time; holds its stream. */
    Settled bury(StoredMessage row) {
        return settle(List.of(), List.of(failure(row, null)), true);
    }

    Failure failure(StoredMessage row, @Nullable Duration retryAfter) {
        return failure(row, retryAfter, true, new Cause(FailureReason.HANDLER_EXCEPTION, "it broke", "orders"));
    }

    Failure failure(StoredMessage row, @Nullable Duration retryAfter, boolean holdsStream, Cause cause) {
        return new Failure(
                row.key(),
                row.progress().version(),
                lease(row.key().lane()).epoch(),
                row.progress().attempts() + 1,
                retryAfter,
                holdsStream,
                0,
                cause);
    }
}
