package dev.postroom.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.Operations;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.relay.Relay;
import dev.postroom.server.Cli;
import dev.postroom.server.web.AdminSettings;
import dev.postroom.server.web.ServerMetrics;
import dev.postroom.server.web.WebServer;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.KafkaBroker;
import dev.postroom.testbed.MariaDb;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.RabbitMqBroker;
import dev.postroom.testbed.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Another program writes good rows and odd ones by SQL, and a relay delivers to one receiver of each kind: all good ones
 * arrive, all bad ones die with a reason, and whoever looks meanwhile gets an answer. A seed always draws the same rows.
 */
@Tag("R60")
@Timeout(600)
class HostileRowsTest {
    private static KafkaBroker kafka;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        kafka = KafkaBroker.start("auto.create.topics.enable=true\n");
    }

    @AfterAll
    static void stop() {
        kafka.close();
    }

    @ParameterizedTest
    @CsvSource({"POSTGRESQL, 1", "MARIADB, 2", "H2, 3"})
    void good_rows_arrive_and_bad_ones_die_with_a_reason(HostileTable table, long seed) throws Exception {
        deliver(table, seed, 54);
    }

    @ParameterizedTest
    @CsvSource({"POSTGRESQL, 11", "POSTGRESQL, 12", "MARIADB, 13", "MARIADB, 14", "H2, 15", "H2, 16"})
    @Tag("long")
    void thousands_of_good_and_bad_rows_beside_each_other(HostileTable table, long seed) throws Exception {
        deliver(table, seed, 1_500);
    }

    private static TestDatabase database(HostileTable table) {
        return switch (table) {
            case POSTGRESQL -> Postgres.newest().freshDatabase();
            case MARIADB -> MariaDb.newest().freshDatabase();
            case H2 -> H2.freshDatabase();
        };
    }

    private void deliver(HostileTable table, long seed, int each) throws Exception {
        TestDatabase database = database(table);
        Store store = Store.open(database.dataSource(), TableNames.DEFAULT);
        store.schema().migrate();
        Operations operations = Operations.as("tester", store.operations(), store.maintenance());
        List<HostileRow> rows = table.insert(database, new HostileRows(seed, table).draw(each));
        assertThat(rows).hasSizeGreaterThan(each * 3);
        try (ServerMetrics metrics = new ServerMetrics();
                Receivers receivers = new Receivers(RabbitMqBroker.shared(), kafka);
                WebServer web = WebServer.start(store, AdminSettings.local(0, "ada"), metrics)) {
            Onlooker onlooker = new Onlooker(web, Cli.on(database, folder), rows, new Random(seed));
            onlooker.look();
            try (Relay relay = receivers
                    .relay(database)
                    .retry(new RetryPolicy(Duration.ZERO, 1, Duration.ZERO, 0, 3))
                    .listener(metrics.relayListener())
                    .start()) {
                long waits = rows.stream().filter(row -> row.fate == Fate.WAITS).count();
                await().atMost(Duration.ofMinutes(4))
                        .pollInterval(Duration.ofMillis(200))
                        .until(() -> {
                            onlooker.look();
                            return operations.stats().backlog() <= waits;
                        });
                awaitArrivals(rows, receivers);
                for (HostileRow row : rows) {
                    assertThat(fateOf(row, operations, receivers.at(row.way)))
                            .as("seed %d, %s", seed, row)
                            .isEqualTo(row.fate);
                }
                onlooker.lookAtAll();
                await().atMost(Duration.ofSeconds(60)).untilAsserted(onlooker::seeThatAllIsWell);
                assertThat(relay.isRunning()).isTrue();
            }
        }
    }

    /** A broker's consumer may be behind what the broker has confirmed. */
    private static void awaitArrivals(List<HostileRow> rows, Receivers receivers) {
        for (Way way : Way.values()) {
            Set<UUID> expected = rows.stream()
                    .filter(row -> row.way == way && row.fate == Fate.ARRIVES)
                    .map(row -> row.id)
                    .collect(Collectors.toSet());
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(
                            () -> assertThat(receivers.at(way)).as(way.label()).containsAll(expected));
        }
    }

    private static Fate fateOf(HostileRow row, Operations operations, Set<UUID> arrived) {
        MessageDetail detail = operations.find(row.id).orElseThrow();
        return switch (detail.item().status()) {
            case PROCESSED -> {
                assertThat(arrived).as(row.toString()).contains(row.id);
                yield Fate.ARRIVES;
            }
            case SCHEDULED -> Fate.WAITS;
            case DEAD -> {
                assertThat(Objects.requireNonNull(detail.item().reason()).isPermanent())
                        .as("%s: %s", row, detail.error())
                        .isTrue();
                assertThat(detail.error()).as(row.toString()).isNotBlank();
                yield Fate.DIES;
            }
            default -> throw new AssertionError(row + " is " + detail.item().status() + ": " + detail.whyNotSent());
        };
    }
}
