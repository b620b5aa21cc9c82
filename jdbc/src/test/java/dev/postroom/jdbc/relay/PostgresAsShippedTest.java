package dev.postroom.jdbc.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.operations.MessageStatus;
import dev.postroom.relay.Relay;
import dev.postroom.testbed.Postgres;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * On the server that the distribution ships, with its own configuration: it compiles plans that look dear, which the embedded ones
 * cannot. With {@code ./postroom test --all} everything about PostgreSQL runs there.
 */
@Tag("R62")
class PostgresAsShippedTest extends RelayTestBase {
    /** How often a relay with the default settings looks for messages in fifteen seconds in which there are none. */
    private static final int READS = 15;

    private static final Duration MOST = Duration.ofMillis(300);

    PostgresAsShippedTest() {
        super(() -> Postgres.debian().freshDatabase());
    }

    @Test
    void messages_arrive() {
        Recorder recorder = new Recorder();
        closedAfterwards(relay().deliverTo(recorder).start());
        List<UUID> ids = IntStream.range(0, 20)
                .mapToObj(n -> publish("orders", "order-" + n % 3, "text " + n))
                .toList();
        eventually()
                .untilAsserted(() ->
                        assertThat(ids).allSatisfy(id -> assertThat(status(id)).isEqualTo(MessageStatus.PROCESSED)));
        assertThat(operations.stats().dead()).isZero();
    }

    /** Its heartbeats come five times as often as by default, too, so that the two are in their usual proportion. */
    @Test
    void an_idle_relay_costs_the_database_next_to_nothing() throws Exception {
        CountedReads reads = new CountedReads(database.dataSource());
        closedAfterwards(Relay.on(reads.counted())
                .lease(Duration.ofSeconds(2))
                .pollMax(Duration.ofMillis(200))
                .deliverTo(new Recorder())
                .start());
        assertIdleCost(reads);
    }

    @Test
    @Tag("long")
    void an_idle_relay_with_default_settings_costs_the_database_next_to_nothing() throws Exception {
        CountedReads reads = new CountedReads(database.dataSource());
        closedAfterwards(Relay.on(reads.counted()).deliverTo(new Recorder()).start());
        assertIdleCost(reads);
    }

    private void assertIdleCost(CountedReads reads) throws Exception {
        Assumptions.assumeTrue(
                System.getenv("POSTROOM_TEST_POSTGRESQL") == null,
                "a server elsewhere, whose processes are not seen here");
        awaitReads(reads, 10); // it has settled down by then
        DatabaseCpu before = DatabaseCpu.of(database);
        assertThat(before.byProcess()).isNotEmpty();
        awaitReads(reads, reads.count().get() + READS);
        assertThat(DatabaseCpu.of(database).since(before)).isLessThan(MOST);
    }

    private static void awaitReads(CountedReads reads, int number) {
        eventually().atMost(Duration.ofMinutes(1)).until(() -> reads.count().get() >= number);
    }
}
