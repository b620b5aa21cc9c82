package dev.postroom.rabbitmq;

import static dev.postroom.rabbitmq.Sends.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import dev.postroom.inbox.Inbox;
import dev.postroom.inbox.ReceivedMessage;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
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

/**
 * A quorum queue drops what it has delivered in vain too often: more than 20 times by default, since RabbitMQ 4.0. A consumer
 * that cannot reach its database, or is killed again and again, must not lose messages that way.
 */
@Tag("R41")
@Timeout(120)
class QuorumQueueTest {
    private static final int LIMIT = 20;

    private InboxFixture fixture;

    @BeforeEach
    void open() throws Exception {
        fixture = InboxFixture.onSharedBroker();
        fixture.channel().queueDelete(fixture.queue);
        declareQuorum(fixture.queue);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void what_was_often_delivered_in_vain_is_renewed_before_the_broker_drops_it() throws Exception {
        fixture.send("m1", "x");
        deliverInVain(15, fixture.queue);
        AtomicBoolean down = new AtomicBoolean();
        AtomicInteger refused = new AtomicInteger();
        Inbox inbox = Inbox.on(unsteadyDatabase(down, refused));
        down.set(true);
        try (RabbitMqInbox consumer = fixture.consumer().start(inbox, InboxFixture::bill)) {
            eventually().until(() -> refused.get() > 0);
        }
        deliverInVain(8, fixture.queue);

        List<ReceivedMessage> received = new CopyOnWriteArrayList<>();
        try (RabbitMqInbox consumer =
                fixture.consumer().start(fixture.inbox(), (message, tx) -> received.add(message))) {
            eventually().until(() -> received.size() == 1);
            fixture.awaitEmptyQueue(consumer);
        }
        assertThat(received.get(0).id()).isEqualTo("m1");
        assertThat(received.get(0).attempt()).isEqualTo(1);
        assertThat(received.get(0).headers())
                .as("what the broker counts is none of the sender's headers")
                .isEmpty();
    }

    @Test
    void what_waits_to_be_tried_again_is_renewed_too_and_waits_on() throws Exception {
        declareQuorum(fixture.queue + ".wait.256s");
        List<BasicProperties> waiting = takeEverythingFrom(fixture.queue + ".wait.64s");
        long due = InstantSource.system().millis() + 200_000;
        BasicProperties properties = new BasicProperties.Builder()
                .messageId("m1")
                .headers(Map.of(ReturnedAmqp.DUE, due, ReturnedAmqp.ATTEMPT, 2))
                .build();
        fixture.channel().basicPublish("", fixture.queue + ".wait.256s", properties, new byte[1]);
        deliverInVain(15, fixture.queue + ".wait.256s");

        try (RabbitMqInbox consumer = fixture.consumer().start(fixture.inbox(), InboxFixture::bill)) {
            eventually().until(() -> waiting.size() == 1);
        }
        assertThat(waiting.get(0).getMessageId()).isEqualTo("m1");
        assertThat(waiting.get(0).getHeaders()).containsOnlyKeys(ReturnedAmqp.DUE, ReturnedAmqp.ATTEMPT);
        assertThat(ReturnedAmqp.due(waiting.get(0))).isEqualTo(due);
        assertThat(ReturnedAmqp.attempt(waiting.get(0))).isEqualTo(2);
    }

    @Test
    void what_was_sent_ahead_behind_a_handler_that_hangs_is_renewed_too() throws Exception {
        for (int i = 0; i < 5; i++) {
            fixture.send("m" + i, "x");
        }
        deliverInVain(15, fixture.queue, 5);
        // They are held back, so that the one whose handler hangs is the first and has come less often.
        Channel holder = take(fixture.queue, 5);
        fixture.send("hangs", "x");
        for (int death = 0; death < 8; death++) {
            CountDownLatch inside = new CountDownLatch(1);
            RabbitMqInbox consumer = fixture.consumer()
                    .concurrency(1)
                    .stopTimeout(Duration.ZERO)
                    .start(fixture.inbox(), (message, tx) -> {
                        inside.countDown();
                        new CountDownLatch(1).await();
                    });
            assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
            holder.abort();
            eventually().until(() -> fixture.channel().messageCount(fixture.queue) == 0);
            consumer.close();
            eventually().until(() -> fixture.channel().messageCount(fixture.queue) > 0);
        }
        try (RabbitMqInbox consumer = fixture.consumer().start(fixture.inbox(), InboxFixture::bill)) {
            eventually().until(() -> fixture.bills().size() >= 6);
            fixture.awaitEmptyQueue(consumer);
        }
        assertThat(fixture.bills()).containsExactlyInAnyOrder("m0", "m1", "m2", "m3", "m4", "hangs");
    }

    @Test
    @Tag("long")
    void closing_again_and_again_while_handlers_hang_loses_nothing() throws Exception {
        int count = 100;
        for (int i = 0; i < count; i++) {
            fixture.send("m" + i, "x");
        }
        for (int closed = 0; closed < 25; closed++) {
            CountDownLatch inside = new CountDownLatch(4);
            RabbitMqInbox consumer = fixture.consumer()
                    .stopTimeout(Duration.ZERO)
                    .start(fixture.inbox(), (message, tx) -> {
                        inside.countDown();
                        new CountDownLatch(1).await();
                    });
            assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
            consumer.close();
        }
        try (RabbitMqInbox consumer = fixture.consumer().start(fixture.inbox(), InboxFixture::bill)) {
            eventually().until(() -> fixture.bills().size() >= count);
            fixture.awaitEmptyQueue(consumer);
        }
        assertThat(fixture.bills()).hasSize(count).doesNotHaveDuplicates();
    }

    @Nested
    class a_queue_with_a_limit_of_its_own {

        @Test
        void that_is_low_drops_nothing_either() throws Exception {
            declare(Map.of("x-delivery-limit", 4));
            fixture.send("m1", "x");
            for (int i = 0; i < 6; i++) {
                refuseOnce();
            }
            try (RabbitMqInbox consumer = fixture.consumer().start(fixture.inbox(), InboxFixture::bill)) {
                eventually().until(() -> fixture.bills().size() == 1);
            }
        }

        @Test
        void and_a_dead_letter_exchange_is_left_to_the_broker() throws Exception {
            declare(Map.of(
                    "x-delivery-limit",
                    12,
                    "x-dead-letter-exchange",
                    "",
                    "x-dead-letter-routing-key",
                    fixture.queue + ".dead"));
            fixture.send("m1", "x");
            deliverInVain(11, fixture.queue);
            refuseOnce();
            eventually().until(() -> {
                deliverWhatIsThere();
                return fixture.channel().messageCount(fixture.queue + ".dead") == 1;
            });
            assertThat(fixture.deadLetter().getProps().getMessageId()).isEqualTo("m1");
        }

        @Test
        void is_reported_with_the_line_that_keeps_what_exceeds_it() throws Exception {
            declare(Map.of("x-delivery-limit", 4));
            try (LoggedLines log = new LoggedLines(fixture.queue);
                    RabbitMqInbox consumer = fixture.consumer().start(fixture.inbox(), InboxFixture::bill)) {
                assertThat(log.with("INBOX_QUEUE_DROPS")).hasSize(1);
                assertThat(log.with("INBOX_QUEUE_DROPS").get(0))
                        .startsWith("WARN")
                        .contains("limit=4 ")
                        .contains("rabbitmqctl set_policy -p ")
                        .contains("'{\"dead-letter-exchange\":\"\",\"dead-letter-routing-key\":\"" + fixture.queue
                                + ".dead\"}'");
            }
        }

        private void deliverWhatIsThere() throws Exception {
            Channel channel =
                    Objects.requireNonNull(fixture.channel().getConnection()).createChannel();
            var unused = channel.basicGet(fixture.queue, false);
            channel.close();
        }

        private void declare(Map<String, Object> arguments) throws Exception {
            fixture.channel().queueDelete(fixture.queue);
            Map<String, Object> all = new HashMap<>(arguments);
            all.put("x-queue-type", "quorum");
            fixture.channel().queueDeclare(fixture.queue, true, false, false, all);
        }

        /** Delivers to a consumer that cannot handle, and ends. */
        private void refuseOnce() throws Exception {
            AtomicBoolean down = new AtomicBoolean();
            AtomicInteger refused = new AtomicInteger();
            Inbox inbox = Inbox.on(unsteadyDatabase(down, refused));
            down.set(true);
            try (RabbitMqInbox consumer = fixture.consumer().start(inbox, InboxFixture::bill)) {
                eventually().until(() -> refused.get() > 0);
            }
        }
    }

    @Test
    void what_came_again_and_again_is_named() throws Exception {
        fixture.send("m1", "x");
        deliverInVain(10, fixture.queue);
        try (LoggedLines log = new LoggedLines(fixture.queue);
                RabbitMqInbox consumer = fixture.consumer().start(fixture.inbox(), InboxFixture::bill)) {
            eventually().until(() -> fixture.bills().size() == 1);
            assertThat(log.with("INBOX_REDELIVERED")).hasSize(1);
            assertThat(log.with("INBOX_REDELIVERED").get(0)).startsWith("WARN").contains("id=m1", "deliveries=10");
        }
    }

    /** Only since RabbitMQ 4.3 it has a way for that. */
    @Test
    void what_no_handler_has_seen_is_not_counted_where_the_broker_allows_that() throws Exception {
        for (int i = 0; i < 10; i++) {
            fixture.send("m" + i, "x");
        }
        CountDownLatch inside = new CountDownLatch(1);
        try (RabbitMqInbox consumer = fixture.consumer()
                .concurrency(1)
                .stopTimeout(Duration.ZERO)
                .start(fixture.inbox(), (message, tx) -> {
                    inside.countDown();
                    new CountDownLatch(1).await();
                })) {
            assertThat(inside.await(30, TimeUnit.SECONDS)).isTrue();
            eventually().until(() -> fixture.channel().messageCount(fixture.queue) == 0);
        }
        eventually().until(() -> fixture.channel().messageCount(fixture.queue) == 10);
        boolean forgiving = isForgiving();
        for (int i = 0; i < 10; i++) {
            GetResponse message = fixture.channel().basicGet(fixture.queue, true);
            boolean handled = message.getProps().getMessageId().equals("m0");
            assertThat(ReturnedAmqp.deliveredInVain(message.getProps())).isEqualTo(handled || !forgiving ? 1 : 0);
        }
    }

    /** Since RabbitMQ 4.3 the queue ends a consumer that has kept a message for too long; before, the broker ends the channel. */
    @Test
    void a_handler_that_takes_too_long_for_the_broker_is_not_reported_as_a_deleted_queue() throws Exception {
        Map<String, Object> arguments = isForgiving()
                ? Map.of("x-queue-type", "quorum", "x-consumer-timeout", 1_000)
                : Map.of("x-queue-type", "quorum");
        fixture.channel().queueDelete(fixture.queue);
        fixture.channel().queueDeclare(fixture.queue, true, false, false, arguments);
        fixture.send("m1", "x");
        AtomicInteger tries = new AtomicInteger();
        try (LoggedLines log = new LoggedLines(fixture.queue);
                RabbitMqInbox consumer = fixture.consumer()
                        .stopTimeout(Duration.ZERO)
                        .start(fixture.inbox(), (message, tx) -> {
                            if (tries.incrementAndGet() == 1 && isForgiving()) {
                                new CountDownLatch(1).await();
                            }
                            InboxFixture.bill(message, tx);
                        })) {
            eventually().until(() -> fixture.bills().size() == 1);
            if (isForgiving()) {
                eventually().until(() -> !log.with("INBOX_DISCONNECTED").isEmpty());
                assertThat(log.with("INBOX_DISCONNECTED").get(0))
                        .contains("consumer_timeout")
                        .doesNotContain("deleted");
            } else {
                fixture.channel().queueDelete(fixture.queue);
                eventually().until(() -> !log.with("has been deleted").isEmpty());
            }
        }
    }

    @Nested
    class queues_that_a_consumer_declares {

        @Test
        void are_replicated_where_its_own_is_and_drop_nothing() throws Exception {
            fixture.consumer().start(fixture.inbox(), InboxFixture::bill).close();
            for (String queue : List.of(".dead", ".wait.1s", ".wait.256s")) {
                assertThat(look(fixture.queue + queue)).as(queue).isEqualTo(QueueTraits.KEEPING);
            }
        }

        @Test
        void are_classic_where_its_own_is() throws Exception {
            fixture.channel().queueDelete(fixture.queue);
            fixture.channel().queueDeclare(fixture.queue, true, false, false, Map.of("x-queue-type", "classic"));
            try (LoggedLines log = new LoggedLines(fixture.queue)) {
                fixture.consumer().start(fixture.inbox(), InboxFixture::bill).close();
                assertThat(log.with("INBOX_QUEUE_DROPS")).isEmpty();
            }
            assertThat(look(fixture.queue + ".dead")).isEqualTo(QueueTraits.CLASSIC);
            assertThat(look(fixture.queue + ".wait.64s")).isEqualTo(QueueTraits.CLASSIC);
        }

        @Test
        void drop_nothing_whatever_the_default_of_the_virtual_host() throws Exception {
            fixture.channel().queueDelete(fixture.queue);
            try (LoggedLines log = new LoggedLines(fixture.queue)) {
                fixture.consumer().start(fixture.inbox(), InboxFixture::bill).close();
                assertThat(log.with("INBOX_QUEUE_DROPS")).isEmpty();
            }
            QueueTraits declared = look(fixture.queue);
            assertThat(declared).isIn(QueueTraits.KEEPING, QueueTraits.CLASSIC);
            assertThat(look(fixture.queue + ".wait.4s")).isEqualTo(declared);
        }

        private QueueTraits look(String queue) throws Exception {
            return QueueLook.at(Objects.requireNonNull(fixture.channel().getConnection()), queue);
        }
    }

    @Test
    void a_stream_is_refused_as_it_gives_nothing_again_and_nothing_that_was_sent_before() throws Exception {
        fixture.channel().queueDelete(fixture.queue);
        fixture.channel().queueDeclare(fixture.queue, true, false, false, Map.of("x-queue-type", "stream"));
        InboxSettings settings = new InboxSettings(
                RabbitMqSettings.at(fixture.broker.uri()),
                fixture.queue,
                List.of(),
                "",
                fixture.queue + ".dead",
                1,
                1,
                Duration.ZERO);
        InboxQueues queues = new InboxQueues(
                settings, Objects.requireNonNull(fixture.channel().getConnection()));
        assertThatThrownBy(() -> queues.declare(null))
                .hasMessageContaining("queue '" + fixture.queue + "' is a stream")
                .hasMessageContaining("Bind a queue of another type");
    }

    /** With the limit said, because before 4.0 there is none by default. */
    private void declareQuorum(String queue) throws Exception {
        Map<String, Object> arguments = Map.of("x-queue-type", "quorum", "x-delivery-limit", LIMIT);
        fixture.channel().queueDeclare(queue, true, false, false, arguments);
    }

    private boolean isForgiving() {
        return BrokerVersion.of(Objects.requireNonNull(fixture.channel().getConnection()))
                .forgivesNack();
    }

    private void deliverInVain(int times, String queue) throws Exception {
        deliverInVain(times, queue, 1);
    }

    private void deliverInVain(int times, String queue, int messages) throws Exception {
        for (int i = 0; i < times; i++) {
            take(queue, messages).close();
        }
    }

    /** Gives a channel that has taken so many messages and not acknowledged them. */
    private Channel take(String queue, int messages) throws Exception {
        Channel channel =
                Objects.requireNonNull(fixture.channel().getConnection()).createChannel();
        for (int i = 0; i < messages; i++) {
            eventually().until(() -> channel.basicGet(queue, false) != null);
        }
        return channel;
    }

    /** The consumer gets nothing from that queue then. */
    private List<BasicProperties> takeEverythingFrom(String queue) throws Exception {
        List<BasicProperties> taken = new CopyOnWriteArrayList<>();
        fixture.channel().queueDeclare(queue, true, false, false, Map.of("x-single-active-consumer", true));
        fixture.channel().basicConsume(queue, true, (tag, delivery) -> taken.add(delivery.getProperties()), tag -> {});
        return taken;
    }

    private DataSource unsteadyDatabase(AtomicBoolean down, AtomicInteger refused) {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, args) -> {
                    if (down.get()) {
                        refused.incrementAndGet();
                        throw new SQLException("down", "08001");
                    }
                    return fixture.database.connect();
                });
    }
}
