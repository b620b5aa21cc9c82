package dev.postroom.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.Message;
import dev.postroom.PostroomException;
import dev.postroom.inbox.Inbox;
import dev.postroom.operations.Health;
import dev.postroom.operations.HealthThresholds;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.Operations;
import dev.postroom.outbox.Outbox;
import dev.postroom.relay.Destination;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Outcome.Scope;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.Authority;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.KafkaBroker;
import dev.postroom.testbed.TestDatabase;
import dev.postroom.testbed.TlsFront;
import dev.postroom.testkit.contract.SampleDelivery;
import dev.postroom.tls.Tls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real broker that speaks TLS and wants certificates. */
@Tag("R26")
@Timeout(180)
class KafkaTlsTest {
    private static final Authority AUTHORITY = new Authority("Authority of a test");
    private static final Authority ANOTHER = new Authority("Another authority");

    @TempDir
    static Path folder;

    private static KafkaBroker broker;

    private TestTopic topic;

    @BeforeAll
    static void startBroker() {
        broker = KafkaBroker.start("""
                ssl.keystore.type=PEM
                ssl.keystore.location=%s
                ssl.truststore.type=PEM
                ssl.truststore.location=%s
                ssl.client.auth=required
                """.formatted(
                        AUTHORITY.issue("127.0.0.1").write(folder.resolve("broker.pem")),
                        AUTHORITY.write(folder.resolve("ca.pem"))));
    }

    @AfterAll
    static void endBroker() {
        if (broker != null) {
            broker.close();
        }
    }

    @BeforeEach
    void open() {
        topic = TestTopic.create(broker);
    }

    @AfterEach
    void close() {
        topic.close();
    }

    private static ConditionFactory eventually() {
        return Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(50));
    }

    private static SSLContext client() {
        return AUTHORITY.issue("shop").context();
    }

    private Outcome send(Kafka kafka) throws Exception {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        kafka.send(SampleDelivery.to(topic.name()).build(), outcome::complete);
        return outcome.get(60, TimeUnit.SECONDS);
    }

    private void assertOutage(Kafka configured, String... says) throws Exception {
        try (Kafka kafka = configured) {
            assertThat(send(kafka)).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
                assertThat(failed.scope()).as(failed.error()).isEqualTo(Scope.DESTINATION);
                assertThat(failed.error())
                        .contains("no TLS connection to Kafka")
                        .contains(says);
            });
            assertThat(topic.records()).isEmpty();
        }
    }

    @Test
    void trouble_with_certificates_is_an_outage_that_says_what_to_do() throws Exception {
        Kafka plain = Kafka.at(broker.tlsAddress());
        assertOutage(plain.tls(ANOTHER.trusted()), "not trusted here", "tls.authorities");
        assertOutage(plain.tls(AUTHORITY.trusted()), "wants a certificate of ours", "tls.private-key");
        assertOutage(
                Kafka.at(broker.tlsAddress().replace("127.0.0.1", "localhost")).tls(client()), "another name");
        try (TlsFront expired = TlsFront.to(broker.network().port(), AUTHORITY.issueExpired("127.0.0.1"))) {
            assertOutage(Kafka.at("127.0.0.1:" + expired.port()).tls(client()), "has expired", "clock");
        }
    }

    @Test
    void nothing_is_ever_sent_unencrypted_instead() throws Exception {
        try (Kafka plainPort = Kafka.at(broker.address()).tls(client())) {
            assertThat(send(plainPort)).isInstanceOf(Outcome.Failed.class);
            assertThat(topic.records()).isEmpty();
        }
        assertThatThrownBy(() -> Kafka.at("h:1")
                        .property("security.protocol", "PLAINTEXT")
                        .tls(client()))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("not encrypted");
        assertThatThrownBy(() ->
                        Kafka.at("h:1").property("ssl.truststore.location", "x").tls(client()))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("two ways");
    }

    /** The clients' own options, as anybody knows them who knows Kafka. */
    @Test
    void properties_of_the_client_do_as_well() throws Exception {
        try (Kafka kafka = Kafka.at(broker.tlsAddress())
                .properties(Map.of(
                        "security.protocol",
                        "SSL",
                        "ssl.truststore.type",
                        "PEM",
                        "ssl.truststore.location",
                        folder.resolve("ca.pem").toString(),
                        "ssl.keystore.type",
                        "PEM",
                        "ssl.keystore.location",
                        AUTHORITY
                                .issue("shop")
                                .write(folder.resolve("shop.pem"))
                                .toString()))) {
            assertThat(send(kafka)).isEqualTo(Outcome.confirmed());
        }
    }

    private static Health health(Operations operations) {
        return Health.of(
                new Health.Facts(operations.stats(), operations.nodes(), operations.lanes()), HealthThresholds.DEFAULT);
    }

    @Test
    void a_relay_waits_says_why_and_goes_on_when_the_files_are_right() {
        TestDatabase database = H2.freshDatabase();
        Store store = Store.open(database.dataSource(), TableNames.DEFAULT);
        store.schema().migrate();
        Operations operations = Operations.as("tester", store.operations(), store.maintenance());
        Path authorities = ANOTHER.write(folder.resolve("trusted.pem"));
        Path certificate = folder.resolve("relay.pem");
        Path key = folder.resolve("relay.key");
        AUTHORITY.issue("shop").write(certificate, key);
        SSLContext tls = Tls.files()
                .authorities(authorities)
                .certificate(certificate, key)
                .context();
        try (Relay relay = Relay.on(database.dataSource())
                .deliverTo(Destination.of("kafka", Kafka.at(broker.tlsAddress()).tls(tls))
                        .probeInterval(Duration.ofMillis(200)))
                .pollMax(Duration.ofMillis(50))
                .start()) {
            UUID id = Outbox.on(database.dataSource())
                    .publishInOwnTransaction(Message.to(topic.name()).text("text/plain", "1"))
                    .id();
            eventually().until(() -> health(operations).toString().contains("not trusted here"));
            assertThat(health(operations).status()).isNotEqualTo(Health.Status.UP);
            assertThat(operations.find(id).orElseThrow().item().attempts()).isZero();

            AUTHORITY.write(authorities);
            eventually().until(() -> operations.find(id).orElseThrow().item().status() == MessageStatus.PROCESSED);
        }
        List<String> received = new CopyOnWriteArrayList<>();
        try (KafkaInbox inbox = KafkaInbox.at(broker.tlsAddress(), "group-" + UUID.randomUUID())
                .topics(topic.name())
                .tls(tls)
                .start(Inbox.on(database.dataSource()), (message, tx) -> received.add(message.id()))) {
            eventually().until(() -> received.size() == 1);
        }
    }
}
