package dev.postroom.kafka;

import static dev.postroom.kafka.InboxFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.PostroomException;
import dev.postroom.handler.DeliveryFailedException;
import dev.postroom.inbox.Inbox;
import dev.postroom.inbox.MessageHandler;
import dev.postroom.inbox.ReceivedMessage;
import dev.postroom.outbox.Outbox;
import dev.postroom.relay.Relay;
import dev.postroom.testbed.H2;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("R41")
@Timeout(180)
class KafkaInboxTest {
    private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private InboxFixture fixture;
    private KafkaInbox running;

    @BeforeEach
    void open() throws Exception {
        fixture = new InboxFixture(H2.freshDatabase());
    }

    @AfterEach
    void close() {
        if (running != null) {
            running.close();
        }
        fixture.close();
    }

    private void start(MessageHandler handler) {
        running = fixture.consumer().start(fixture.inbox(), handler);
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        return TestTopic.text(record.headers().lastHeader(name).value());
    }

    /** The dead letters, once there are any. */
    private List<ConsumerRecord<byte[], byte[]>> deadLetters() {
        eventually().until(() -> !fixture.dead.records().isEmpty());
        return List.copyOf(fixture.dead.records());
    }

    @Test
    @Tag("R63")
    void what_is_published_right_after_the_start_arrives_also_in_a_group_that_begins_at_the_end() throws Exception {
        running = fixture.consumer().property("auto.offset.reset", "latest").start(fixture.inbox(), InboxFixture::bill);
        fixture.send("at-once", "1");
        eventually().until(() -> fixture.bills().contains("at-once"));
    }

    @Test
    @Tag("R11")
    @Tag("R53")
    @Tag("R56")
    void what_a_relay_delivers_is_handled_once_with_all_that_it_carries() {
        List<ReceivedMessage> received = new CopyOnWriteArrayList<>();
        start((message, tx) -> received.add(message));
        String large = "all work and no play ".repeat(5_000);
        Outbox outbox = Outbox.on(fixture.database.dataSource());
        try (Relay relay = Relay.on(fixture.database.dataSource())
                .deliverTo(Kafka.at(fixture.broker.address()))
                .start()) {
            assertThat(relay).isNotNull();
            String id = outbox.publishInOwnTransaction(Message.to(fixture.topic.name())
                            .key("42")
                            .tenant("acme")
                            .type("OrderCreated")
                            .source("/shop")
                            .header("traceparent", TRACE)
                            .header("shop", "north")
                            .text("text/plain", large))
                    .id()
                    .toString();
            eventually().until(() -> received.size() == 1);
            ReceivedMessage message = received.get(0);
            assertThat(message.id()).isEqualTo(id);
            assertThat(message.type()).isEqualTo("OrderCreated");
            assertThat(message.source()).isEqualTo("/shop");
            assertThat(message.key()).isEqualTo("42");
            assertThat(message.tenant()).isEqualTo("acme");
            assertThat(message.contentType()).isEqualTo("text/plain");
            assertThat(message.headers()).containsOnly(Map.entry("traceparent", TRACE), Map.entry("shop", "north"));
            assertThat(new String(message.payload(), StandardCharsets.UTF_8)).isEqualTo(large);
            assertThat(message.attempt()).isEqualTo(1);
        }
    }

    @Test
    @Tag("I11")
    void a_duplicate_is_skipped() throws Exception {
        start(InboxFixture::bill);
        for (int i = 0; i < 5; i++) {
            fixture.send("m1", "key" + i); // in several partitions
        }
        fixture.send("m2", "key1");
        eventually().until(() -> fixture.bills().size() == 2);
        assertThat(fixture.bills()).containsExactlyInAnyOrder("m1", "m2");
    }

    @Nested
    class a_message_that_fails {

        @Test
        @Tag("R22")
        void is_tried_again_after_its_delay_and_nothing_of_its_key_overtakes_it() throws Exception {
            List<Long> tries = new CopyOnWriteArrayList<>();
            start((message, tx) -> {
                InboxFixture.bill(message, tx);
                if (message.id().equals("m3")) {
                    tries.add(System.nanoTime());
                    if (message.attempt() < 3) {
                        throw new IllegalStateException("not yet");
                    }
                }
            });
            List<String> order = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                fixture.send("m" + i, "key");
                order.add("m" + i);
            }
            eventually().until(() -> fixture.bills().size() == 10);
            assertThat(fixture.bills()).isEqualTo(order);
            assertThat(tries).hasSize(3);
            assertThat(Duration.ofNanos(tries.get(1) - tries.get(0))).isGreaterThan(Duration.ofMillis(180));
        }

        @Test
        void is_a_dead_letter_after_its_last_attempt_and_its_partition_goes_on() throws Exception {
            AtomicInteger tries = new AtomicInteger();
            start((message, tx) -> {
                if (message.id().equals("bad")) {
                    tries.incrementAndGet();
                    throw new IllegalStateException("no way");
                }
                InboxFixture.bill(message, tx);
            });
            fixture.send("first", "key");
            fixture.send("bad", "key");
            fixture.send("good", "key");
            eventually().until(() -> fixture.bills().size() == 2);
            assertThat(tries).hasValue(3);
            ConsumerRecord<byte[], byte[]> letter = deadLetters().get(0);
            assertThat(TestTopic.text(letter.key())).isEqualTo("key");
            assertThat(TestTopic.text(letter.value())).isEqualTo("x");
            assertThat(header(letter, "ce_id")).isEqualTo("bad");
            assertThat(header(letter, "postroom-reason")).isEqualTo("POISON");
            assertThat(header(letter, "postroom-error")).contains("HANDLER_EXCEPTION", "attempt 3", "no way");
            assertThat(header(letter, "postroom-attempts")).isEqualTo("3");
            assertThat(header(letter, "postroom-topic")).isEqualTo(fixture.topic.name());
            assertThat(header(letter, "postroom-consumer")).isEqualTo(fixture.group);
            assertThat(header(letter, "postroom-offset")).isEqualTo("1");
        }

        @Test
        void with_a_permanent_reason_is_a_dead_letter_at_once() throws Exception {
            AtomicInteger tries = new AtomicInteger();
            start((message, tx) -> {
                tries.incrementAndGet();
                throw new DeliveryFailedException(FailureReason.VALIDATION_FAILURE, "no such order");
            });
            fixture.send("m1", "key");
            assertThat(header(deadLetters().get(0), "postroom-error")).isEqualTo("no such order");
            assertThat(tries).hasValue(1);
        }

        @Test
        void is_counted_on_by_whoever_gets_its_partition_next() throws Exception {
            CountDownLatch failed = new CountDownLatch(1);
            running = fixture.consumer().start(fixture.inbox(), (message, tx) -> {
                failed.countDown();
                throw new IllegalStateException("no");
            });
            fixture.send("m1", "key");
            assertThat(failed.await(60, TimeUnit.SECONDS)).isTrue();
            running.close();
            List<Integer> attempts = new CopyOnWriteArrayList<>();
            start((message, tx) -> {
                attempts.add(message.attempt());
                throw new IllegalStateException("no");
            });
            deadLetters();
            assertThat(attempts.get(0)).isGreaterThan(1);
            assertThat(attempts.get(attempts.size() - 1)).isEqualTo(3);
        }
    }

    @Test
    void the_dead_letters_topic_is_created_when_it_is_missing() throws Exception {
        String missing = "dead-" + UUID.randomUUID();
        running = fixture.consumer()
                .deadLetterTo(missing)
                .retry(InboxFixture.QUICK.maxAttempts(1))
                .start(fixture.inbox(), (message, tx) -> {
                    if (message.id().equals("bad")) {
                        throw new IllegalStateException("no");
                    }
                    InboxFixture.bill(message, tx);
                });
        fixture.send("bad", "key");
        fixture.send("good", "key");
        eventually().until(() -> fixture.bills().size() == 1);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", fixture.broker.address()))) {
            assertThat(admin.listTopics().names().get()).contains(missing);
        }
    }

    @Test
    @Tag("R20")
    void a_dead_letter_that_cannot_be_sent_is_not_passed_over() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        MessageHandler handler = (message, tx) -> {
            if (message.id().equals("bad")) {
                tries.incrementAndGet();
                throw new DeliveryFailedException(FailureReason.VALIDATION_FAILURE, "no such order");
            }
            InboxFixture.bill(message, tx);
        };
        running = fixture.consumer().deadLetterTo("no topic of Kafka").start(fixture.inbox(), handler);
        fixture.send("bad", "key");
        fixture.send("good", "key");
        eventually().until(() -> tries.get() >= 2);
        assertThat(fixture.bills()).as("of what comes behind it").isEmpty();
        running.close();
        start(handler);
        eventually().until(() -> fixture.bills().size() == 1);
        assertThat(header(deadLetters().get(0), "ce_id")).isEqualTo("bad");
    }

    @Test
    void a_record_without_an_id_is_a_dead_letter_at_once() throws Exception {
        start(InboxFixture::bill);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(fixture.topic.name(), new byte[] {1});
        record.headers().add("postroom-reason", "of an earlier death".getBytes(StandardCharsets.UTF_8));
        fixture.send(record);
        ConsumerRecord<byte[], byte[]> letter = deadLetters().get(0);
        assertThat(letter.headers().headers("postroom-reason")).hasSize(1);
        assertThat(header(letter, "postroom-reason")).isEqualTo("VALIDATION_FAILURE");
        assertThat(header(letter, "postroom-error")).contains("ce_id");
    }

    @Test
    @Tag("R26")
    void while_the_database_is_down_messages_wait_and_spend_no_attempt() throws Exception {
        AtomicBoolean down = new AtomicBoolean();
        AtomicInteger refused = new AtomicInteger();
        DataSource unsteady = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, args) -> {
                    if (down.get()) {
                        refused.incrementAndGet();
                        throw new SQLException("down", "08001");
                    }
                    return fixture.database.connect();
                });
        Inbox inbox = Inbox.on(unsteady);
        down.set(true);
        running = fixture.consumer().start(inbox, (message, tx) -> {
            assertThat(message.attempt()).isEqualTo(1);
            InboxFixture.bill(message, tx);
        });
        for (int i = 0; i < 20; i++) {
            fixture.send("m" + i, "key");
        }
        eventually().until(() -> refused.get() > 3); // more than the attempts there are
        down.set(false);
        eventually().until(() -> fixture.bills().size() == 20);
        assertThat(fixture.bills()).doesNotHaveDuplicates();
    }

    @Test
    @Tag("R35")
    @Tag("I11")
    void stopping_lets_the_handler_finish_and_the_next_goes_on_behind_it() throws Exception {
        for (int i = 0; i < 10; i++) {
            fixture.send("m" + i, "key");
        }
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        List<String> first = new CopyOnWriteArrayList<>();
        start((message, tx) -> {
            first.add(message.id());
            inside.countDown();
            assertThat(goOn.await(30, TimeUnit.SECONDS)).isTrue();
            InboxFixture.bill(message, tx);
        });
        assertThat(inside.await(60, TimeUnit.SECONDS)).isTrue();
        Thread closing = new Thread(running::close);
        closing.start();
        eventually().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
        goOn.countDown();
        closing.join(30_000);
        assertThat(first).containsExactly("m0");
        assertThat(fixture.bills()).containsExactly("m0");
        List<String> second = new CopyOnWriteArrayList<>();
        start((message, tx) -> {
            second.add(message.id());
            InboxFixture.bill(message, tx);
        });
        eventually().until(() -> fixture.bills().size() == 10);
        assertThat(second).hasSize(9).doesNotContain("m0");
    }

    @Test
    void wrong_settings_are_refused_and_name_themselves() {
        Inbox inbox = fixture.inbox();
        assertThatThrownBy(() -> KafkaInbox.at("localhost:1", "g").start(inbox, InboxFixture::bill))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("topics");
        assertThatThrownBy(() -> fixture.consumer()
                        .property("enable.auto.commit", "true")
                        .start(inbox, InboxFixture::bill))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("enable.auto.commit");
    }
}
