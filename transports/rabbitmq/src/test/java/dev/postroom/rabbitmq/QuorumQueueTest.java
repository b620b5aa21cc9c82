package dev.postroom.rabbitmq;

import static dev.postroom.rabbitmq.Sends.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import dev.postroom.inbox.Inbox;
import dev.postroom.inbox.ReceivedMessage;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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

    /** With the limit said, because before 4.0 there is none by default. */
    private void declareQuorum(String queue) throws Exception {
        Map<String, Object> arguments = Map.of("x-queue-type", "quorum", "x-delivery-limit", LIMIT);
        fixture.channel().queueDeclare(queue, true, false, false, arguments);
    }

    private void deliverInVain(int times, String queue) throws Exception {
        for (int i = 0; i < times; i++) {
            Channel channel =
                    Objects.requireNonNull(fixture.channel().getConnection()).createChannel();
            eventually().until(() -> channel.basicGet(queue, false) != null);
            channel.close();
        }
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
