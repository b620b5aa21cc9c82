package dev.postroom.jdbc.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.operations.MessageFilter;
import dev.postroom.operations.MessageItem;
import dev.postroom.policy.Route;
import dev.postroom.relay.Destination;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Outcome;
import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Relays that come and go, and a backlog that cannot be sent. */
abstract class FleetContract extends RelayTestBase {
    private static final int KEYS = 40;
    private static final int BACKLOG = Boolean.getBoolean("postroom.test.all") ? 100_000 : 40_000;

    private int written;

    FleetContract(Supplier<TestDatabase> databases) {
        super(databases);
    }

    @Test
    @Tag("R21")
    @Tag("R22")
    @Tag("I6")
    void relays_join_and_leave_without_a_duplicate_and_in_order() throws Exception {
        Recorder recorder = new Recorder();
        Relay first = fleet(recorder);
        write(300);
        Relay second = fleet(recorder);
        writeUntilShared(2);
        Relay third = fleet(recorder);
        writeUntilShared(3);
        second.close();
        write(300);
        first.close();
        write(300);
        eventually().untilAsserted(() -> assertThat(recorder.confirmed()).hasSize(written));
        third.close();

        Map<String, List<Integer>> byKey = new HashMap<>();
        for (String text : recorder.confirmed()) {
            String[] parts = text.split(":", 2);
            byKey.computeIfAbsent(parts[0], key -> new ArrayList<>()).add(Integer.valueOf(parts[1]));
        }
        assertThat(byKey).hasSize(KEYS);
        // Strictly: each exactly once, because nothing went wrong.
        byKey.values().forEach(numbers -> assertThat(numbers).isSorted().doesNotHaveDuplicates());
    }

    private Relay fleet(Recorder recorder) {
        return closedAfterwards(
                relay().lease(Duration.ofSeconds(6)).deliverTo("all", recorder).start());
    }

    /** Lanes move while messages are on their way. */
    private void writeUntilShared(int relays) {
        eventually().until(() -> {
            write(40);
            return operations.lanes().stream()
                            .map(lane -> String.valueOf(lane.owner()))
                            .distinct()
                            .count()
                    == relays;
        });
    }

    private void write(int messages) throws SQLException {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < messages; i++) {
                String key = "key" + written % KEYS;
                outbox.publish(connection, Message.to("orders").key(key).text("text/plain", key + ":" + written++));
                if (i % 10 == 9) {
                    connection.commit();
                }
            }
            connection.commit();
        }
    }

    @Test
    @Tag("R26")
    @Tag("I4")
    @Tag("I9")
    void a_destination_down_all_through_with_a_long_backlog_delays_nobody_else() throws Exception {
        Recorder down = new Recorder().answering(delivery -> Outcome.unavailable("connection refused"));
        Recorder up = new Recorder();
        backlog("down.orders", BACKLOG);
        backlog("up.orders", 1_000);
        closedAfterwards(relay().deliverTo(Destination.of("down", down).probeInterval(Duration.ofMillis(200)))
                .deliverTo("up", up)
                .route(Route.of("down.*", "down"))
                .route(Route.of("up.*", "up"))
                .maxInFlight(2_000)
                .start());

        // MariaDB and H2 ask for each row what stands before it in its stream, which takes its time.
        eventually()
                .atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(up.confirmed()).hasSize(1_000));
        backlog("up.orders", 1_000);
        eventually()
                .atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(up.confirmed()).hasSize(2_000));
        int probes = down.sent().size();
        // While it stays down it is tried less and less often, up to every 30 s.
        eventually().atMost(Duration.ofMinutes(2)).until(() -> down.sent().size() > probes);

        assertThat(count(dev.postroom.operations.MessageStatus.DEAD)).isZero();
        List<MessageItem> waiting = operations
                .list(MessageFilter.builder().topic("down.orders").build(), 0, 500)
                .items();
        assertThat(waiting)
                .hasSize(500)
                .allSatisfy(item -> assertThat(item.attempts()).isZero());
    }

    private void backlog(String topic, int messages) throws SQLException {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < messages; i += 1_000) {
                List<Message> batch = new ArrayList<>();
                for (int j = 0; j < 1_000; j++) {
                    batch.add(Message.to(topic).key("key" + (i + j) % 997).text("text/plain", "x"));
                }
                outbox.publishAll(connection, batch);
                connection.commit();
            }
        }
    }
}
