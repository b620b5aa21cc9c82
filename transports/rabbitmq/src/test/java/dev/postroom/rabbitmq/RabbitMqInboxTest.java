package dev.postroom.rabbitmq;

import static dev.postroom.rabbitmq.Sends.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.PostroomException;
import dev.postroom.handler.DeliveryFailedException;
import dev.postroom.inbox.Inbox;
import dev.postroom.inbox.MessageHandler;
import dev.postroom.inbox.ReceivedMessage;
import dev.postroom.outbox.Outbox;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.relay.Relay;
import dev.postroom.testbed.RabbitMqBroker;
import dev.postroom.testbed.TcpProxy;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("R41")
@Timeout(120)
class RabbitMqInboxTest {
    private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private InboxFixture fixture;
    private RabbitMqInbox running;

    @BeforeEach
    void open() throws Exception {
        fixture = InboxFixture.onSharedBroker();
    }

    @AfterEach
    void close() {
        if (running != null) {
            running.close();
        }
        fixture.close();
    }

    private void start(MessageHandler handler) {
        start(fixture.consumer(), handler);
    }

    private void start(RabbitMqInbox.Builder consumer, MessageHandler handler) {
        running = consumer.start(fixture.inbox(), handler);
    }

    private static String header(GetResponse letter, String name) {
        return String.valueOf(letter.getProps().getHeaders().get(name));
    }

    @Test
    @Tag("R63")
    void what_is_published_right_after_the_start_arrives() throws Exception {
        String exchange = fixture.queue + "-exchange";
        start(fixture.consumer().bind(exchange, "orders.#"), InboxFixture::bill);
        BasicProperties properties =
                new BasicProperties.Builder().messageId("at-once").build();
        fixture.channel().basicPublish(exchange, "orders.created", properties, new byte[0]);
        fixture.channel().waitForConfirmsOrDie(10_000);
        eventually().until(() -> fixture.bills().contains("at-once"));
    }

    @Test
    @Tag("R63")
    void consumer_that_starts_before_its_broker_binds_when_the_broker_is_there() throws Exception {
        URI address = URI.create(fixture.broker.uri());
        try (TcpProxy proxy = TcpProxy.to(address.getHost(), address.getPort())) {
            proxy.refuse();
            String away = fixture.broker.uri().replace(":" + address.getPort(), ":" + proxy.port());
            start(RabbitMqInbox.at(away, fixture.queue), InboxFixture::bill);
            assertThat(fixture.channel().consumerCount(fixture.queue)).isZero();
            proxy.accept();
            eventually().until(() -> fixture.channel().consumerCount(fixture.queue) == 4);
            running.close();
        }
    }

    @Test
    @Tag("R11")
    @Tag("R53")
    @Tag("R56")
    void what_a_relay_delivers_is_handled_once_with_all_that_it_carries() throws Exception {
        List<ReceivedMessage> received = new CopyOnWriteArrayList<>();
        start(fixture.consumer().bind(fixture.queue + "-exchange", "orders.#"), (message, tx) -> {
            received.add(message);
        });
        eventually().until(() -> fixture.channel().consumerCount(fixture.queue) == 4);
        String large = "all work and no play ".repeat(5_000);
        Outbox outbox = Outbox.on(fixture.database.dataSource());
        try (Relay relay = Relay.on(fixture.database.dataSource())
                .deliverTo(RabbitMq.at(fixture.broker.uri()).exchange(fixture.queue + "-exchange"))
                .start()) {
            String id = outbox.publishInOwnTransaction(Message.to("orders.created")
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
            assertThat(message.toString()).doesNotContain("work");
        } finally {
            fixture.channel().exchangeDelete(fixture.queue + "-exchange");
        }
    }

    @Test
    @Tag("I11")
    void a_duplicate_is_acknowledged_and_skipped() throws Exception {
        start(InboxFixture::bill);
        for (int i = 0; i < 5; i++) {
            fixture.send("m1", "x");
        }
        fixture.send("m2", "x");
        eventually().until(() -> fixture.bills().size() == 2);
        fixture.awaitEmptyQueue(running);
        assertThat(fixture.bills()).containsExactlyInAnyOrder("m1", "m2");
    }

    @Test
    void with_one_at_a_time_the_order_of_the_queue_is_kept() throws Exception {
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            fixture.send("m" + i, "x");
            order.add("m" + i);
        }
        List<String> handled = new CopyOnWriteArrayList<>();
        start(fixture.consumer().concurrency(1), (message, tx) -> handled.add(message.id()));
        eventually().until(() -> handled.size() == 50);
        assertThat(handled).isEqualTo(order);
    }

    @Nested
    class a_message_that_fails {

        @Test
        void is_tried_again_after_its_delay_and_leaves_no_trace_of_the_failed_try() throws Exception {
            List<Long> tries = new CopyOnWriteArrayList<>();
            start((message, tx) -> {
                tries.add(System.nanoTime());
                InboxFixture.bill(message, tx);
                if (message.attempt() < 3) {
                    throw new IllegalStateException("not yet");
                }
            });
            fixture.send("m1", "x");
            eventually().until(() -> fixture.bills().size() == 1);
            assertThat(tries).hasSize(3);
            assertThat(tries.get(1) - tries.get(0)).isGreaterThan(InboxFixture.DELAY.toNanos() * 9 / 10);
            fixture.awaitEmptyQueue(running);
            assertThat(fixture.bills()).containsExactly("m1");
        }

        @Test
        void is_a_dead_letter_after_its_last_attempt_with_all_it_came_with() throws Exception {
            AtomicInteger tries = new AtomicInteger();
            start((message, tx) -> {
                tries.incrementAndGet();
                throw new IllegalStateException("no\nway");
            });
            fixture.send(
                    new BasicProperties.Builder()
                            .messageId("m1")
                            .contentType("text/plain")
                            .expiration("60000")
                            .headers(Map.of("shop", "north", "cloudEvents:subject", "42"))
                            .build(),
                    "x".getBytes(StandardCharsets.UTF_8));
            GetResponse letter = fixture.deadLetter();
            assertThat(tries).hasValue(3);
            assertThat(letter.getProps().getMessageId()).isEqualTo("m1");
            assertThat(letter.getProps().getContentType()).isEqualTo("text/plain");
            assertThat(letter.getProps().getDeliveryMode()).isEqualTo(2);
            assertThat(letter.getBody()).isEqualTo(new byte[] {'x'});
            assertThat(header(letter, "shop")).isEqualTo("north");
            assertThat(header(letter, "cloudEvents:subject")).isEqualTo("42");
            assertThat(header(letter, "postroom-reason")).isEqualTo("POISON");
            assertThat(header(letter, "postroom-error"))
                    .contains("HANDLER_EXCEPTION", "attempt 3", "IllegalStateException: no");
            assertThat(header(letter, "postroom-attempts")).isEqualTo("3");
            assertThat(header(letter, "postroom-queue")).isEqualTo(fixture.queue);
            assertThat(header(letter, "postroom-consumer")).isEqualTo(fixture.queue);
            assertThat(header(letter, "postroom-dead-at")).contains("T");
            fixture.awaitEmptyQueue(running);
        }

        @Test
        void with_a_permanent_reason_is_a_dead_letter_at_once() throws Exception {
            AtomicInteger tries = new AtomicInteger();
            start((message, tx) -> {
                tries.incrementAndGet();
                throw new DeliveryFailedException(FailureReason.VALIDATION_FAILURE, "no such order");
            });
            fixture.send("m1", "x");
            GetResponse letter = fixture.deadLetter();
            assertThat(tries).hasValue(1);
            assertThat(header(letter, "postroom-reason")).isEqualTo("VALIDATION_FAILURE");
            assertThat(header(letter, "postroom-error")).isEqualTo("no such order");
        }

        @Test
        @Tag("R26")
        void for_an_outage_of_something_it_needs_spends_no_attempt() throws Exception {
            AtomicInteger tries = new AtomicInteger();
            start((message, tx) -> {
                assertThat(message.attempt()).isEqualTo(1);
                if (tries.incrementAndGet() <= 5) {
                    throw new DeliveryFailedException(FailureReason.TRANSPORT_UNAVAILABLE, "the bank is closed");
                }
                InboxFixture.bill(message, tx);
            });
            fixture.send("m1", "x");
            eventually().until(() -> fixture.bills().size() == 1);
        }

        @Test
        void holds_nobody_else_up() throws Exception {
            start(fixture.consumer().concurrency(1).retry(RetryPolicy.DEFAULT), (message, tx) -> {
                if (message.id().startsWith("bad")) {
                    throw new IllegalStateException("no");
                }
                InboxFixture.bill(message, tx);
            });
            for (int i = 0; i < 40; i++) {
                fixture.send("bad" + i, "x");
            }
            fixture.send("good", "x");
            eventually().until(() -> fixture.bills().size() == 1);
        }

        @Test
        void waits_for_its_whole_delay_also_when_no_waiting_room_has_just_that() throws Exception {
            Duration delay = Duration.ofMillis(1_300);
            List<Long> tries = new CopyOnWriteArrayList<>();
            start(fixture.consumer().retry(new RetryPolicy(delay, 1, delay, 0, 3)), (message, tx) -> {
                tries.add(System.nanoTime());
                if (message.attempt() == 1) {
                    throw new IllegalStateException("not yet");
                }
                InboxFixture.bill(message, tx);
            });
            fixture.send("m1", "x");
            eventually().until(() -> fixture.bills().size() == 1);
            assertThat(tries.get(1) - tries.get(0)).isGreaterThan(delay.toNanos() * 9 / 10);
        }

        @Test
        void is_not_forgotten_when_the_delays_have_been_changed_meanwhile() throws Exception {
            Duration delay = Duration.ofSeconds(2);
            CountDownLatch failed = new CountDownLatch(1);
            start(fixture.consumer().retry(new RetryPolicy(delay, 1, delay, 0, 3)), (message, tx) -> {
                failed.countDown();
                throw new IllegalStateException("not yet");
            });
            fixture.send("m1", "x");
            assertThat(failed.await(30, TimeUnit.SECONDS)).isTrue();
            running.close();
            AtomicInteger attempt = new AtomicInteger();
            start((message, tx) -> {
                attempt.set(message.attempt());
                InboxFixture.bill(message, tx);
            });
            eventually().until(() -> fixture.bills().size() == 1);
            assertThat(attempt).hasValue(2);
        }

        @Test
        void and_whose_waiting_room_is_deleted_goes_on_in_a_new_one() throws Exception {
            start(fixture.consumer().retry(InboxFixture.QUICK.maxAttempts(1_000)), (message, tx) -> {
                if (message.attempt() < 3) {
                    throw new IllegalStateException("not yet");
                }
                InboxFixture.bill(message, tx);
            });
            eventually().until(() -> fixture.channel().consumerCount(fixture.queue) == 4);
            fixture.channel().queueDelete(fixture.queue + ".wait.1s");
            fixture.send("m1", "x");
            eventually().until(() -> fixture.bills().size() == 1);
        }

        @Test
        void with_an_error_and_not_an_exception_ends_as_well() throws Exception {
            start((message, tx) -> {
                throw new StackOverflowError();
            });
            fixture.send("m1", "x");
            assertThat(header(fixture.deadLetter(), "postroom-error")).contains("StackOverflowError");
        }
    }

    @Nested
    class what_is_no_message {

        @Test
        void because_it_has_no_id_is_a_dead_letter_at_once() throws Exception {
            start(InboxFixture::bill);
            fixture.send(new BasicProperties(), new byte[] {1});
            GetResponse letter = fixture.deadLetter();
            assertThat(header(letter, "postroom-reason")).isEqualTo("VALIDATION_FAILURE");
            assertThat(header(letter, "postroom-error")).contains("message_id");
            assertThat(fixture.bills()).isEmpty();
        }

        @Test
        void because_its_id_cannot_be_stored_is_a_dead_letter_at_once() throws Exception {
            start(InboxFixture::bill);
            fixture.send("m\n1", "x");
            assertThat(header(fixture.deadLetter(), "postroom-error")).contains("U+000A");
            assertThat(fixture.bills()).isEmpty();
        }

        @Test
        @Tag("R11")
        void because_it_cannot_be_decompressed_is_a_dead_letter_at_once() throws Exception {
            start(InboxFixture::bill);
            fixture.send(
                    new BasicProperties.Builder()
                            .messageId("m1")
                            .contentEncoding("gzip")
                            .build(),
                    new byte[] {1, 2, 3});
            assertThat(header(fixture.deadLetter(), "postroom-reason")).isEqualTo("SERIALIZATION");
        }
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
            fixture.send("m" + i, "x");
        }
        eventually().until(() -> refused.get() > 20); // far more than the attempts there are
        down.set(false);
        eventually().until(() -> fixture.bills().size() == 20);
        fixture.awaitEmptyQueue(running);
        assertThat(fixture.bills()).doesNotHaveDuplicates();
    }

    @Nested
    @Tag("R35")
    class stopping {

        @Test
        void lets_the_handler_finish_and_gives_the_rest_back() throws Exception {
            for (int i = 0; i < 10; i++) {
                fixture.send("m" + i, "x");
            }
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            start(fixture.consumer().concurrency(1), (message, tx) -> {
                inside.countDown();
                assertThat(goOn.await(30, TimeUnit.SECONDS)).isTrue();
                InboxFixture.bill(message, tx);
            });
            assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
            Thread closing = new Thread(running::close);
            closing.start();
            // A quorum queue counts the consumer until its last message is settled, so the broker cannot be asked.
            eventually().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
            goOn.countDown();
            closing.join(30_000);
            assertThat(fixture.bills()).containsExactly("m0");
            eventually().until(() -> fixture.channel().messageCount(fixture.queue) == 9);

            start(InboxFixture::bill);
            eventually().until(() -> fixture.bills().size() == 10);
            assertThat(fixture.bills()).doesNotHaveDuplicates();
        }

        @Test
        void does_not_wait_for_ever_and_the_message_is_delivered_again() throws Exception {
            CountDownLatch inside = new CountDownLatch(1);
            start(fixture.consumer().stopTimeout(Duration.ofMillis(300)), (message, tx) -> {
                InboxFixture.bill(message, tx);
                inside.countDown();
                new CountDownLatch(1).await();
            });
            fixture.send("m1", "x");
            assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
            long before = System.nanoTime();
            running.close();
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
            eventually().until(() -> fixture.channel().messageCount(fixture.queue) == 1);
            start(InboxFixture::bill);
            eventually().until(() -> fixture.bills().size() == 1);
        }

        @Test
        void before_it_could_connect_and_twice_is_fine() {
            RabbitMqInbox unconnected =
                    RabbitMqInbox.at("amqp://127.0.0.1:1", "q").start(fixture.inbox(), InboxFixture::bill);
            unconnected.close();
            unconnected.close();
        }
    }

    @Test
    @Tag("I11")
    void connections_that_break_again_and_again_give_each_message_one_effect() throws Exception {
        RabbitMqBroker broker = fixture.broker;
        int count = 400;
        for (int i = 0; i < count; i++) {
            fixture.send("m" + i, "x");
        }
        try (TcpProxy proxy = TcpProxy.to(broker.host(), broker.port())) {
            running = RabbitMqInbox.at(broker.uriAt(proxy.port()), fixture.queue)
                    .retry(InboxFixture.QUICK.maxAttempts(100))
                    .start(fixture.inbox(), (message, tx) -> {
                        InboxFixture.bill(message, tx);
                        if (message.attempt() == 1
                                && Integer.parseInt(message.id().substring(1)) % 5 == 0) {
                            throw new IllegalStateException("every fifth fails at first");
                        }
                    });
            for (int cut = 1; cut <= 5; cut++) {
                int enough = cut * count / 8;
                eventually().until(() -> fixture.bills().size() >= enough);
                proxy.cut();
            }
            eventually().until(() -> fixture.bills().size() >= count);
            fixture.awaitEmptyQueue(running);
        }
        assertThat(fixture.bills()).hasSize(count).doesNotHaveDuplicates();
    }

    @Test
    void a_queue_that_is_deleted_is_declared_again() throws Exception {
        start(InboxFixture::bill);
        eventually().until(() -> fixture.channel().consumerCount(fixture.queue) == 4);
        fixture.channel().queueDelete(fixture.queue);
        eventually().until(this::hasConsumers);
        fixture.send("m1", "x");
        eventually().until(() -> fixture.bills().size() == 1);
    }

    private boolean hasConsumers() throws Exception {
        try (var asking =
                Objects.requireNonNull(fixture.channel().getConnection()).createChannel()) {
            return asking.queueDeclarePassive(fixture.queue).getConsumerCount() == 4;
        } catch (java.io.IOException missing) {
            return false;
        }
    }

    @Test
    void wrong_settings_are_refused_and_name_themselves() {
        RabbitMqInbox.Builder consumer = fixture.consumer();
        assertThatThrownBy(() -> consumer.concurrency(0).start(fixture.inbox(), InboxFixture::bill))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("concurrency");
        assertThatThrownBy(() -> RabbitMqInbox.at(fixture.broker.uri(), " ").start(fixture.inbox(), InboxFixture::bill))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("queue");
        assertThatThrownBy(() -> RabbitMqInbox.at("http://user:secret@host", "q"))
                .isInstanceOf(PostroomException.class)
                .message()
                .doesNotContain("secret");
    }
}
