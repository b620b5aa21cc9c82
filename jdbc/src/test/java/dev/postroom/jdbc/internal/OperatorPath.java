package dev.postroom.jdbc.internal;

import dev.postroom.jdbc.internal.HotPath.Check;
import dev.postroom.operations.Change;
import dev.postroom.operations.Maintenance;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.OperationsStore;
import dev.postroom.operations.OperationsStore.Auditing;
import dev.postroom.operations.OperationsStore.DedupPosition;
import dev.postroom.operations.OperationsStore.ReplayPosition;
import dev.postroom.operations.Pause;
import dev.postroom.operations.ReleaseRequest;
import dev.postroom.operations.ReplayRequest;
import dev.postroom.operations.RoutingText;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.Owing;
import dev.postroom.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * What {@link HotPath} and {@link ListPath} leave out: what a relay does seldom, what operators change and look at beside
 * lists, and upkeep; on the same rows.
 */
public final class OperatorPath {
    private static final Auditing AUDITING = Auditing.of("alice", "test", "one", "to see its plan");
    private static final Duration LONG_AGO = Duration.ofDays(1);
    private static final int FEW = 10;

    private final Store store;
    private final OperationsStore operations;
    private final Check check;

    public OperatorPath(Store store, Check check) {
        this.store = store;
        this.operations = store.operations();
        this.check = check;
    }

    /** What a relay does when it starts, with each heartbeat, and when it ends. */
    public void lanes() {
        try (LaneStore lanes = store.openLanes();
                FollowReader reader = store.openFollowReader(Owing.EVERYWHERE)) {
            lanes.destinations(List.of("broker", "billing"));
            check.after("registering destinations");
            LaneStore.Lease lease =
                    lanes.acquire("seldom", List.of(5), Duration.ofMinutes(10)).get(0);
            lanes.reserve("seldom", List.of(new LaneStore.Reservation(5, lease.epoch(), 1, 2)));
            check.after("reserving");
            lanes.report(new LaneStore.NodeReport(
                    "seldom", "host", "1", "{}", RoutingText.NONE, Duration.ofSeconds(10), Duration.ZERO));
            lanes.liveNodes(Duration.ofMinutes(1));
            check.after("a heartbeat");
            lanes.release("seldom", List.of(lease));
            lanes.leave("seldom");
            check.after("leaving");
            reader.pauses();
            check.after("reading pauses");
        }
    }

    public void looks() {
        operations.nodes();
        operations.lanes();
        operations.destinations();
        check.after("nodes, lanes and destinations");
        operations.pauses();
        operations.audit(1, FEW);
        check.after("pauses and audit");
        operations.storage();
        check.after("storage");
        operations.find(dead(1).get(0), FEW);
        check.after("finding");
    }

    public void changes() {
        for (Change change : List.of(Change.RETRY, Change.SKIP, Change.DELETE)) {
            List<UUID> ids = dead(3);
            operations.count(ids, change);
            operations.change(change, ids, AUDITING);
            check.after(change.label());
        }
        operations.releaseStream(ReleaseRequest.of("", "dead-77"), FEW, AUDITING);
        operations.releaseStream(ReleaseRequest.of("", "dead-79").topic("orders"), FEW, AUDITING);
        check.after("releasing a stream");
        List<UUID> erased = dead(3);
        operations.findByKey("", "dead-78", false, null);
        operations.findByKey("", "dead-78", true, UUID.randomUUID());
        operations.tenantsOf(erased);
        operations.idempotencyKeysOf(Set.copyOf(erased), new DedupPosition("", ""), true);
        operations.countErasable(erased);
        operations.erase(erased, AUDITING);
        check.after("erasing");
        operations.pause(Pause.Target.topic("orders"), AUDITING);
        operations.resume(Pause.Target.topic("orders"), AUDITING);
        check.after("pausing");
        ReplayRequest replay = new ReplayRequest(null, "orders", null, null, null, "broker", null);
        operations.countReplay(replay, FEW);
        operations.replay(replay, ReplayPosition.START, FEW, AUDITING);
        check.after("replaying");
    }

    public void upkeep() {
        Maintenance maintenance = store.maintenance();
        maintenance.prepareArchive();
        maintenance.countArchive(LONG_AGO, FEW);
        maintenance.purgeArchive(LONG_AGO, FEW);
        check.after("the archive");
        maintenance.purgeDedup(FEW);
        maintenance.purgeInbox(LONG_AGO, FEW);
        maintenance.purgeAttempts(LONG_AGO, FEW);
        maintenance.purgeAudit(Maintenance.LEAST_AUDIT_AGE, FEW);
        check.after("purging");
    }

    private List<UUID> dead(int most) {
        return operations.select(MessageFilter.builder().topic("orders").build(), Change.DELETE, most);
    }
}
