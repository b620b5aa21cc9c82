package dev.postroom.jdbc.relay.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.Operations;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What holds when processes die, freeze and come back. */
abstract class ProcessContract {
    private static final int KEYS = 8;

    @TempDir
    Path folder;

    TestDatabase database;
    private Outbox outbox;
    private Operations operations;
    private Path file;
    private int published;
    private Connection kept;

    abstract TestDatabase fresh();

    @BeforeEach
    void migrate() throws Exception {
        database = fresh();
        // H2 lives in the process that opened it first, and that must be this one.
        kept = database.connect();
        Store store = Store.open(database.dataSource(), TableNames.DEFAULT);
        store.schema().migrate();
        outbox = Outbox.on(database.dataSource());
        operations = Operations.as("tester", store.operations(), store.maintenance());
        file = Files.createFile(folder.resolve("delivered.txt"));
    }

    @AfterEach
    void disconnect() throws Exception {
        kept.close();
    }

    @Test
    @Tag("R20")
    @Tag("R21")
    @Tag("I3")
    void a_relay_that_dies_between_confirm_and_settle_loses_nothing() throws Exception {
        publish(100);
        try (ChildRelay dying = ChildRelay.start(database, file, 40)) {
            eventually().until(() -> !dying.isAlive());
            assertThat(dying.exitCode()).isEqualTo(9);
        }
        publish(20);
        try (ChildRelay heir = ChildRelay.start(database, file, 0)) {
            eventually().until(this::live, left -> left == 0);
            assertThat(heir.isAlive()).isTrue();
        }
        everythingArrivedInOrder();
        // What was confirmed and not settled goes out again, and says so by its id; nothing else does.
        assertThat(delivered().size()).isBetween(published, published + 100);
    }

    @Test
    @Tag("R21")
    @Tag("I3")
    @Tag("I5")
    void a_relay_frozen_past_its_lease_and_woken_disturbs_no_order() throws Exception {
        try (ChildRelay frozen = ChildRelay.start(database, file, 0)) {
            publish(40);
            eventually().until(() -> delivered().size() >= 40);
            freeze(frozen);
            publish(40);
            try (ChildRelay other = ChildRelay.start(database, file, 0)) {
                eventually().until(() -> new LinkedHashSet<>(delivered()).size() >= 80);
                frozen.wake();
                publish(40);
                eventually().until(this::live, left -> left == 0);
                assertThat(other.isAlive()).isTrue();
            }
        }
        everythingArrivedInOrder();
    }

    @Test
    @Tag("R30")
    void a_message_that_kills_the_process_is_found_and_the_rest_goes_on() throws Exception {
        publish(20);
        UUID poison = outbox.publishInOwnTransaction(
                        Message.to("orders").key("poisoned").text("text/plain", RelayProgram.POISON))
                .id();
        publish(20);
        int deaths = 0;
        ChildRelay relay = ChildRelay.start(database, file, 0);
        try {
            while (status(poison) != MessageStatus.DEAD) {
                ChildRelay current = relay;
                eventually().until(() -> !current.isAlive() || status(poison) == MessageStatus.DEAD);
                if (!current.isAlive()) {
                    assertThat(++deaths).as("deaths").isLessThan(10);
                    relay = ChildRelay.start(database, file, 0);
                }
            }
            eventually().until(this::live, left -> left == 1);
        } finally {
            relay.close();
        }
        MessageDetail dead = operations.find(poison).orElseThrow();
        assertThat(dead.item().reason()).isEqualTo(FailureReason.POISON);
        assertThat(dead.error()).contains("times when a relay died");
        assertThat(deaths).isBetween(RelayProgram.MAX_CRASHES, RelayProgram.MAX_CRASHES + 3);
        everythingArrivedInOrder();
    }

    /** Stops it wherever it stands, also in the middle of a transaction: the database ends that one after a while. */
    void freeze(ChildRelay relay) throws Exception {
        relay.freeze();
    }

    private void publish(int messages) {
        for (int i = 0; i < messages; i++) {
            String key = "key" + published % KEYS;
            outbox.publishInOwnTransaction(Message.to("orders").key(key).text("text/plain", key + ":" + published++));
        }
    }

    private List<String> delivered() throws Exception {
        return Files.readAllLines(file);
    }

    private long live() {
        return operations.list(dev.postroom.operations.MessageFilter.ALL, 0, 500).items().stream()
                .filter(item -> item.status() != MessageStatus.PROCESSED)
                .count();
    }

    private MessageStatus status(UUID id) {
        return operations.find(id).orElseThrow().item().status();
    }

    /** Each message at least once; first arrivals of a key in the order they were written. */
    private void everythingArrivedInOrder() throws Exception {
        Map<String, List<Integer>> byKey = new HashMap<>();
        for (String line : new LinkedHashSet<>(delivered())) {
            String[] parts = line.split(":", 2);
            byKey.computeIfAbsent(parts[0], key -> new ArrayList<>()).add(Integer.valueOf(parts[1]));
        }
        int arrived = 0;
        for (List<Integer> numbers : byKey.values()) {
            assertThat(numbers).isSorted();
            arrived += numbers.size();
        }
        assertThat(arrived).isEqualTo(published);
    }

    private static ConditionFactory eventually() {
        return Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(50));
    }
}
