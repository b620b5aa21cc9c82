package dev.postroom.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.FollowReader.Mark;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.Owing;
import dev.postroom.spi.PageAnswer.Page;
import dev.postroom.spi.Store;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a relay and a writer do again and again beside reading, one step after the other, so that a test can look at what the
 * database did for each. The tables hold very many ready rows of the topic {@code orders} with keys {@code order-N}, as
 * many dead ones with keys {@code dead-N}, delayed ones that are due, and idempotency keys {@code key-N}.
 */
public final class HotPath {
    public static final int PER_LANE = 8;
    public static final int PAGE = PER_LANE * LaneStore.LANES;

    /** Pending rows, and as many dead ones: far more than any step may look at; a million with {@code ./postroom test --all}. */
    public static final int BACKLOG = Boolean.getBoolean("postroom.test.all") ? 1_000_000 : 250_000;

    private static final String OWNER = "hot-path";

    private final Store store;
    private final Check check;

    public HotPath(Store store, Check check) {
        this.store = store;
        this.check = check;
    }

    /** Looks at what the database did for a step. */
    @FunctionalInterface
    public interface Check {
        void after(String step);
    }

    public void settle() {
        try (LaneStore lanes = store.openLanes();
                FollowReader reader = store.openFollowReader(Owing.EVERYWHERE);
                MessageSettler settler = store.openSettler()) {
            List<LaneStore.Lease> leases = acquireAll(lanes);
            check.after("taking the lanes");
            List<StoredMessage> rows = FollowPath.messages(FollowPath.page(reader, null, new long[LaneStore.LANES]));
            check.after("the first read");
            assertThat(settler.settle(successes(rows.subList(0, 100), false, 1)).left())
                    .isEqualTo(100);
            check.after("deleting");
            assertThat(settler.settle(successes(rows.subList(100, 200), true, 1))
                            .left())
                    .isEqualTo(100);
            check.after("archiving");
            assertThat(settler.settle(successes(rows.subList(200, 300), true, 3))
                            .left())
                    .isZero();
            check.after("completing in part");
            assertThat(settler.settle(failures(rows.subList(300, 400), leases)).stale())
                    .isEmpty();
            check.after("failing");
            assertThat(settler.suspect(OWNER, suspects(rows.subList(400, 410), leases)))
                    .hasSize(10);
            check.after("suspecting");
            lanes.renew(OWNER, Duration.ofMinutes(10));
            check.after("renewing the lanes");
            lanes.release(OWNER, leases);
            check.after("giving the lanes back");
        }
    }

    public void publish(Outbox outbox) {
        outbox.inTransaction(tx -> tx.publish(Message.to("orders").key("1")));
        check.after("publishing");
        outbox.inTransaction(tx -> tx.publishAll(IntStream.range(0, 100)
                .mapToObj(n -> Message.to("orders").key("1").idempotencyKey("key-" + n * 7))
                .toList()));
        check.after("publishing with idempotency keys");
    }

    /** Drains pages; after each read the check is called. */
    public void drain(int pages) {
        try (FollowReader reader = store.openFollowReader(Owing.EVERYWHERE);
                MessageSettler settler = store.openSettler()) {
            long[] positions = new long[LaneStore.LANES];
            Mark mark = null;
            for (int turn = 0; turn < pages; turn++) {
                Page page = FollowPath.page(reader, mark, positions);
                check.after("read " + turn);
                mark = page.next();
                positions = FollowPath.positions(page);
                List<StoredMessage> rows = FollowPath.messages(page);
                assertThat(rows).hasSize(PAGE);
                settler.settle(successes(rows, false, 1));
                check.after("settle " + turn);
            }
        }
    }

    private static List<LaneStore.Lease> acquireAll(LaneStore lanes) {
        List<Integer> all = IntStream.range(0, LaneStore.LANES).boxed().toList();
        List<LaneStore.Lease> leases = List.copyOf(lanes.acquire(OWNER, all, Duration.ofMinutes(10)));
        assertThat(leases).hasSize(LaneStore.LANES);
        return leases;
    }

    private static MessageSettler.Batch successes(List<StoredMessage> rows, boolean archive, long route) {
        List<MessageSettler.Success> successes = rows.stream()
                .map(row -> new MessageSettler.Success(row.key(), 1, route))
                .toList();
        return new MessageSettler.Batch(OWNER, successes, List.of(), archive, List.of());
    }

    private static MessageSettler.Batch failures(List<StoredMessage> rows, List<LaneStore.Lease> leases) {
        MessageSettler.Cause cause = new MessageSettler.Cause(FailureReason.TIMEOUT, "no answer", "somewhere");
        List<MessageSettler.Failure> failures = rows.stream()
                .map(row -> new MessageSettler.Failure(
                        row.key(),
                        row.progress().version(),
                        epoch(row, leases),
                        1,
                        Duration.ofMinutes(1),
                        true,
                        0,
                        cause))
                .toList();
        return new MessageSettler.Batch(OWNER, List.of(), failures, true, List.of());
    }

    private static List<MessageSettler.Suspect> suspects(List<StoredMessage> rows, List<LaneStore.Lease> leases) {
        return rows.stream()
                .map(row -> new MessageSettler.Suspect(row.key(), row.progress().version(), epoch(row, leases), 1))
                .toList();
    }

    private static long epoch(StoredMessage row, List<LaneStore.Lease> leases) {
        return leases.stream()
                .filter(lease -> lease.lane() == row.key().lane())
                .findFirst()
                .orElseThrow()
                .epoch();
    }
}
