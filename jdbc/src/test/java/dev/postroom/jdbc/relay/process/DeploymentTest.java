package dev.postroom.jdbc.relay.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.NodeItem;
import dev.postroom.operations.Operations;
import dev.postroom.operations.RoutingGap;
import dev.postroom.operations.RoutingItem;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Versions of an application whose routes differ, in processes of their own: the new one delivers to an audit file as well. */
@Tag("R61")
class DeploymentTest {
    @TempDir
    Path folder;

    private final TestDatabase database = Postgres.newest().freshDatabase();
    private Outbox outbox;
    private Operations operations;
    private Path file;
    private Path audit;
    private int published;

    private static final Duration SHORT = RelayProgram.LEASE.multipliedBy(3);
    /** Longer than the test. */
    private static final Duration LONG = Duration.ofMinutes(10);

    @BeforeEach
    void migrate() throws Exception {
        Store store = Store.open(database.dataSource(), TableNames.DEFAULT);
        store.schema().migrate();
        outbox = Outbox.on(database.dataSource());
        operations = Operations.as("tester", store.operations(), store.maintenance());
        file = Files.createFile(folder.resolve("delivered.txt"));
        audit = Files.createFile(folder.resolve("audit.txt"));
    }

    @Test
    void rolling_deployment_and_rollback_never_deliver_by_both_routings_at_a_time() throws Exception {
        ChildRelay old1 = ChildRelay.start(database, file, 0);
        ChildRelay old2 = ChildRelay.start(database, file, 0);
        ChildRelay new1 = null;
        ChildRelay new2 = null;
        ChildRelay back = null;
        try {
            publishAndAwait(100);
            assertThat(lines(audit)).isEmpty();

            // The first of the new version comes, and takes over from both that still run.
            new1 = ChildRelay.startNewVersion(database, file, audit, SHORT);
            eventually().until(() -> standingBy().size() == 2 && lanesOf(standingBy()) == 0);
            Set<String> before = lines(file);
            publishAndAwait(100);
            assertThat(lines(audit)).containsAll(without(lines(file), before));

            // The others follow.
            new2 = ChildRelay.startNewVersion(database, file, audit, SHORT);
            old1.close();
            old2.close();
            publishAndAwait(100);
            assertThat(lines(audit)).containsAll(without(lines(file), before));
            eventually().until(() -> !RoutingGap.isHandover(operations.routings()));
            RoutingGap gap = RoutingGap.of(operations.routings()).get(0);
            assertThat(gap.destination()).isEqualTo("audit");

            // Back again: the old version waits until the last of the new one is gone.
            back = ChildRelay.start(database, file, 0);
            eventually().until(() -> standingBy().size() == 1);
            publishAndAwait(50);
            assertThat(lines(audit)).containsAll(without(lines(file), before));
            new1.close();
            new2.kill();
            eventually().until(() -> standingBy().isEmpty() && alive() >= 1 && lanes() == 64);
            Set<String> audited = lines(audit);
            publishAndAwait(50);
            assertThat(lines(audit)).isEqualTo(audited);
            assertThat(lines(file)).hasSize(published);
        } finally {
            closeAll(old1, old2, new1, new2, back);
        }
    }

    @Test
    void new_version_that_dies_before_the_delay_never_delivers() throws Exception {
        ChildRelay old = ChildRelay.start(database, file, 0);
        try {
            publishAndAwait(20);
            for (int i = 0; i < 2; i++) {
                int seen = i + 1;
                try (ChildRelay crashing = ChildRelay.startNewVersion(database, file, audit, LONG)) {
                    eventually().until(() -> everStoodBy() == seen);
                    publishAndAwait(20);
                    crashing.kill();
                }
            }
            publishAndAwait(20);
            assertThat(lines(audit)).isEmpty();
            assertThat(operations.routings())
                    .filteredOn(RoutingItem::isInForce)
                    .singleElement()
                    .satisfies(routing -> assertThat(routing.routes().text()).isEqualTo("** -> file (block)"));
        } finally {
            closeAll(old);
        }
    }

    /** As under a supervisor that starts it again each time: first at once, then after it has reported, and stood by. */
    @Test
    void new_version_that_crashes_by_itself_again_and_again_never_delivers() throws Exception {
        ChildRelay old = ChildRelay.start(database, file, 0);
        try {
            publishAndAwait(20);
            for (Duration life : List.of(Duration.ZERO, Duration.ZERO, SHORT, SHORT)) {
                try (ChildRelay crashing = ChildRelay.startCrashingVersion(database, file, audit, LONG, life)) {
                    while (!crashing.hasEndedWithin(Duration.ofMillis(100))) {
                        publishAndAwait(1);
                    }
                    assertThat(crashing.exitCode()).isEqualTo(RelayProgram.CRASHED);
                }
            }
            publishAndAwait(20);
            assertThat(everStoodBy()).isPositive();
            assertThat(lines(audit)).isEmpty();
            assertThat(lines(file)).hasSize(published);
        } finally {
            closeAll(old);
        }
    }

    /** The new version is in force by its own delay, not by that of the old one, which would give up its lanes too early. */
    @Test
    void old_version_delivers_until_the_new_one_is_ripe_whatever_its_own_delay() throws Exception {
        ChildRelay old = ChildRelay.start(database, file, 0);
        ChildRelay patient = null;
        try {
            publishAndAwait(1);
            patient = ChildRelay.startNewVersion(database, file, audit, LONG);
            eventually()
                    .until(() ->
                            everStoodBy() == 1 && !youngest().startedAt().isAfter(now().minus(SHORT.multipliedBy(2))));
            publishAndAwait(20);
            assertThat(lines(audit)).isEmpty();
        } finally {
            closeAll(old, patient);
        }
    }

    private NodeItem youngest() {
        return operations.nodes().stream()
                .max(Comparator.comparing(NodeItem::startedAt))
                .orElseThrow();
    }

    /** By the database's clock, as a relay that lives reports all the time. */
    private Instant now() {
        return operations.nodes().stream()
                .map(NodeItem::lastSeen)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    private void publishAndAwait(int messages) {
        for (int i = 0; i < messages; i++) {
            outbox.publishInOwnTransaction(
                    Message.to("orders").key("key" + published % 8).text("text/plain", "m" + published++));
        }
        eventually()
                .until(() -> operations.list(MessageFilter.ALL, 0, 500).items().stream()
                        .allMatch(item -> item.status() == MessageStatus.PROCESSED));
    }

    private List<NodeItem> standingBy() {
        return operations.nodes().stream()
                .filter(node -> node.alive() && node.report().standsByFor() != null)
                .toList();
    }

    /** Also those that were killed: their last report is there. */
    private long everStoodBy() {
        return operations.nodes().stream()
                .filter(node -> node.report().standsByFor() != null)
                .count();
    }

    private static int lanesOf(List<NodeItem> nodes) {
        return nodes.stream().mapToInt(NodeItem::lanes).sum();
    }

    private long alive() {
        return operations.nodes().stream().filter(NodeItem::alive).count();
    }

    private long lanes() {
        return lanesOf(operations.nodes());
    }

    private static Set<String> lines(Path of) throws Exception {
        return new HashSet<>(Files.readAllLines(of));
    }

    private static Set<String> without(Set<String> all, Set<String> some) {
        Set<String> rest = new HashSet<>(all);
        rest.removeAll(some);
        return rest;
    }

    private static void closeAll(ChildRelay... relays) throws Exception {
        for (ChildRelay relay : relays) {
            if (relay != null) {
                relay.close();
            }
        }
    }

    private static ConditionFactory eventually() {
        return Awaitility.await().atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofMillis(100));
    }
}
