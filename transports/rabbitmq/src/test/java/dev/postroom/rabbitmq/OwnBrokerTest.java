package dev.postroom.rabbitmq;

import static dev.postroom.rabbitmq.Sends.begin;
import static dev.postroom.rabbitmq.Sends.eventually;
import static dev.postroom.rabbitmq.Sends.failure;
import static dev.postroom.rabbitmq.Sends.outcome;
import static dev.postroom.rabbitmq.Sends.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.FailureReason;
import dev.postroom.PostroomException;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Outcome.Scope;
import dev.postroom.testbed.Authority;
import dev.postroom.testbed.RabbitMqBroker;
import dev.postroom.testkit.contract.SampleDelivery;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is done to a broker as a whole: alarms, permissions, limits, TLS, an orderly end. */
@Timeout(180)
class OwnBrokerTest {
    private static final int LARGEST = 100_000;
    private static final Authority AUTHORITY = new Authority("Authority of a test");

    private static RabbitMqBroker broker;
    private static Path certificate;
    private static Path key;
    private static SSLContext client;

    private TestQueue queue;
    private RabbitMq transport;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        certificate = folder.resolve("broker.pem");
        key = folder.resolve("broker.key");
        AUTHORITY.issue("127.0.0.1").write(certificate, key);
        client = AUTHORITY.issue("shop").context();
        broker = RabbitMqBroker.start(
                """
                max_message_size = %d
                listeners.ssl.default = 127.0.0.1:TLS_PORT
                ssl_options.certfile = %s
                ssl_options.keyfile = %s
                ssl_options.cacertfile = %s
                ssl_options.verify = verify_peer
                ssl_options.fail_if_no_peer_cert = true
                """.formatted(LARGEST, certificate, key, AUTHORITY.write(folder.resolve("ca.pem"))));
    }

    @AfterAll
    static void end() {
        if (broker != null) {
            broker.close();
        }
    }

    @BeforeEach
    void open() throws Exception {
        queue = TestQueue.bound(broker, "#");
        transport = RabbitMq.at(broker.uri()).exchange(queue.exchange);
    }

    @AfterEach
    void close() {
        transport.close();
        queue.close();
    }

    private static Delivery sample() {
        return SampleDelivery.to("any").build();
    }

    @Test
    @Tag("R26")
    void a_memory_alarm_holds_the_destination_until_it_is_lifted() throws Exception {
        assertThat(send(transport, sample())).isEqualTo(Outcome.confirmed());
        broker.raiseMemoryAlarm();
        List<CompletableFuture<Outcome>> before = new ArrayList<>();
        // The broker tells a connection that it is blocked when it publishes the next time; that message waits there.
        eventually().until(() -> {
            CompletableFuture<Outcome> sent = begin(transport, sample());
            before.add(sent);
            return sent.isDone()
                    && outcome(sent) instanceof Outcome.Failed failed
                    && failed.scope() == Scope.DESTINATION
                    && failed.error().contains("blocks publishers");
        });
        for (int i = 0; i < 100; i++) {
            assertThat(begin(transport, sample())).isDone();
        }

        broker.liftMemoryAlarm();
        for (CompletableFuture<Outcome> sent : before) {
            assertThat(outcome(sent))
                    .satisfiesAnyOf(
                            confirmed -> assertThat(confirmed).isEqualTo(Outcome.confirmed()),
                            blocked -> assertThat(blocked).extracting("scope").isEqualTo(Scope.DESTINATION));
        }
        assertThat(outcome(before.get(0))).isEqualTo(Outcome.confirmed());
        eventually().until(() -> send(transport, sample()).equals(Outcome.confirmed()));
    }

    @Test
    @Tag("R25")
    void a_message_above_the_brokers_limit_is_refused_for_good_when_it_is_alone() throws Exception {
        assertThat(send(transport, sample())).isEqualTo(Outcome.confirmed());
        Outcome.Failed failed = failure(
                transport,
                SampleDelivery.to("any").payload(new byte[LARGEST + 1]).build());
        assertThat(failed.scope()).isEqualTo(Scope.MESSAGE);
        assertThat(failed.reason()).isEqualTo(FailureReason.VALIDATION_FAILURE);
        assertThat(failed.error()).contains("406", Integer.toString(LARGEST));
        assertThat(send(transport, sample())).isEqualTo(Outcome.confirmed());
    }

    @Test
    @Tag("R26")
    void a_message_that_closes_the_channel_leaves_the_others_on_it_unclear() throws Exception {
        RabbitMq narrow = RabbitMq.at(broker.uri()).exchange(queue.exchange).channels(1);
        try {
            List<CompletableFuture<Outcome>> sent = new ArrayList<>();
            sent.add(begin(
                    narrow,
                    SampleDelivery.to("any").payload(new byte[LARGEST + 1]).build()));
            for (int i = 0; i < 50; i++) {
                sent.add(begin(narrow, sample()));
            }
            // The broker may be quicker than we are: then the culprit was alone on the channel, and is known.
            assertThat(outcome(sent.get(0)))
                    .isInstanceOfSatisfying(
                            Outcome.Failed.class,
                            culprit -> assertThat(culprit.scope()).isIn(Scope.UNCLEAR, Scope.MESSAGE));
            for (CompletableFuture<Outcome> other : sent.subList(1, sent.size())) {
                if (outcome(other) instanceof Outcome.Failed failed) {
                    assertThat(failed.scope()).isIn(Scope.UNCLEAR, Scope.NOT_SENT);
                }
            }
            eventually().until(() -> send(narrow, sample()).equals(Outcome.confirmed()));
        } finally {
            narrow.close();
        }
    }

    @Test
    @Tag("R26")
    void a_user_who_may_not_write_holds_the_topic_and_needs_no_right_to_declare() throws Exception {
        broker.control("add_user", "reader", "reader-word");
        broker.control("set_permissions", "-p", broker.virtualHost(), "reader", "^$", "^$", ".*");
        String uri = "amqp://reader:reader-word@127.0.0.1:" + broker.port() + broker.path();
        RabbitMq reader = RabbitMq.at(uri).exchange(queue.exchange);
        try {
            Outcome.Failed failed = failure(reader, sample());
            assertThat(failed.scope()).isEqualTo(Scope.TOPIC);
            assertThat(failed.error()).contains("403").doesNotContain("reader-word");

            broker.control("set_permissions", "-p", broker.virtualHost(), "reader", "^$", ".*", "^$");
            eventually().until(() -> send(reader, sample()).equals(Outcome.confirmed()));
        } finally {
            reader.close();
        }
    }

    @Test
    @Tag("R26")
    void a_user_who_may_not_declare_the_missing_exchange_holds_the_destination() throws Exception {
        broker.control("add_user", "writer", "writer-word");
        broker.control("set_permissions", "writer", "^$", ".*", ".*");
        RabbitMq writer = RabbitMq.at("amqp://writer:writer-word@127.0.0.1:" + broker.port())
                .exchange("missing");
        try {
            Outcome.Failed failed = failure(writer, sample());
            assertThat(failed.scope()).isEqualTo(Scope.DESTINATION);
            assertThat(failed.error()).contains("403", "missing");
        } finally {
            writer.close();
        }
    }

    @Nested
    @Tag("R26")
    class Over_tls {
        private final List<RabbitMq> opened = new ArrayList<>();

        @AfterEach
        void closeAll() {
            opened.forEach(RabbitMq::close);
        }

        private RabbitMq to(String host, SSLContext tls) {
            String uri = "amqps://postroom:" + broker.password() + "@" + host + ":" + broker.tlsPort() + broker.path();
            RabbitMq secure = RabbitMq.at(uri).exchange(queue.exchange).tls(tls);
            opened.add(secure);
            return secure;
        }

        private void assertOutage(RabbitMq secure, String... says) throws Exception {
            Outcome.Failed failed = failure(secure, sample());
            assertThat(failed.scope()).as(failed.error()).isEqualTo(Scope.DESTINATION);
            assertThat(failed.error()).contains("no TLS connection to RabbitMQ").contains(says);
        }

        @Test
        void a_broker_of_a_trusted_authority_takes_messages() throws Exception {
            assertThat(send(to("127.0.0.1", client), sample())).isEqualTo(Outcome.confirmed());
        }

        @Test
        void an_unknown_authority_or_another_name_is_an_outage() throws Exception {
            Authority another = new Authority("Another authority");
            assertOutage(to("127.0.0.1", another.trusted()), "not trusted here", "tls.authorities");
            assertOutage(to("localhost", client), "for another name");
        }

        @Test
        void a_broker_that_wants_a_certificate_gets_none_without_one() throws Exception {
            Outcome.Failed failed = failure(to("127.0.0.1", AUTHORITY.trusted()), sample());
            assertThat(failed.scope()).as(failed.error()).isEqualTo(Scope.DESTINATION);
            assertThat(failed.error()).contains("wants a certificate of ours", "tls.certificate");
        }

        /** Clearing the broker's cache is what makes it read its files now and not two minutes later. */
        @Test
        void an_expired_certificate_is_an_outage_until_it_is_replaced() throws Exception {
            RabbitMq secure = to("127.0.0.1", client);
            AUTHORITY.issueExpired("127.0.0.1").write(certificate, key);
            broker.control("eval", "ssl:clear_pem_cache().");
            try {
                assertOutage(secure, "has expired", "clock");
            } finally {
                AUTHORITY.issue("127.0.0.1").write(certificate, key);
                broker.control("eval", "ssl:clear_pem_cache().");
            }
            eventually().until(() -> send(secure, sample()).equals(Outcome.confirmed()));
        }

        @Test
        void nothing_is_ever_sent_unencrypted_instead() throws Exception {
            RabbitMq plainPort = RabbitMq.at(broker.uri().replace("amqp:", "amqps:"))
                    .exchange(queue.exchange)
                    .tls(client);
            opened.add(plainPort);
            assertOutage(plainPort, "check that the port speaks TLS");
            assertThatThrownBy(() -> RabbitMq.at(broker.uri()).tls(client))
                    .isInstanceOf(PostroomException.class)
                    .hasMessageContaining("write amqps://");
        }
    }

    @Test
    @Tag("R26")
    void an_orderly_end_of_the_broker_is_an_outage_that_ends_by_itself() throws Exception {
        assertThat(send(transport, sample())).isEqualTo(Outcome.confirmed());
        broker.stop();
        eventually()
                .until(() -> send(transport, sample()) instanceof Outcome.Failed failed
                        && failed.scope() == Scope.DESTINATION
                        && failed.error().contains("cannot be reached"));
        broker.restart();
        eventually().until(() -> send(transport, sample()).equals(Outcome.confirmed()));
    }
}
