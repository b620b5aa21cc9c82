package dev.postroom.rabbitmq;

import static dev.postroom.rabbitmq.Sends.begin;
import static dev.postroom.rabbitmq.Sends.eventually;
import static dev.postroom.rabbitmq.Sends.failure;
import static dev.postroom.rabbitmq.Sends.outcome;
import static dev.postroom.rabbitmq.Sends.send;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.postroom.FailureReason;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Outcome.Scope;
import dev.postroom.testbed.RabbitMqBroker;
import dev.postroom.testbed.TcpProxy;
import dev.postroom.testkit.contract.DestinationUnderTest.Received;
import dev.postroom.testkit.contract.SampleDelivery;
import dev.postroom.transport.cloudevents.ContentMode;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Date;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RabbitMqTest {
    private final RabbitMqBroker broker = RabbitMqBroker.shared();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    private <T extends AutoCloseable> T closedAfterwards(T resource) {
        opened.addFirst(resource);
        return resource;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    private TestQueue queue(String bindingKey) throws Exception {
        return closedAfterwards(TestQueue.bound(broker, bindingKey));
    }

    private RabbitMq to(TestQueue queue) {
        return closedAfterwards(RabbitMq.at(broker.uri()).exchange(queue.exchange));
    }

    private static Delivery sample(String topic) {
        return SampleDelivery.to(topic).build();
    }

    private static Received first(TestQueue queue) {
        eventually().until(() -> !queue.received().isEmpty());
        return queue.received().get(0);
    }

    @Nested
    @Tag("R56")
    class on_the_wire {

        @Test
        void properties_and_headers_have_the_names_of_the_contract() throws Exception {
            TestQueue queue = queue("orders.created");
            Delivery delivery = SampleDelivery.to("orders.created")
                    .key("order-1")
                    .tenant("acme")
                    .headers(Map.of("traceparent", "00-a-b-01", "shop", "north"))
                    .build();
            assertThat(send(to(queue), delivery)).isEqualTo(Outcome.confirmed());

            first(queue);
            BasicProperties properties = queue.properties.get(0);
            assertThat(properties.getMessageId()).isEqualTo(delivery.id().toString());
            assertThat(properties.getType()).isEqualTo("SampleSent");
            assertThat(properties.getContentType()).isEqualTo("text/plain");
            assertThat(properties.getTimestamp())
                    .isEqualTo(Date.from(delivery.createdAt().minusMillis(789)));
            assertThat(properties.getDeliveryMode()).isEqualTo(2);
            assertThat(properties.getHeaders())
                    .hasSize(10)
                    .hasEntrySatisfying(
                            "cloudEvents:id",
                            id -> assertThat(id).hasToString(delivery.id().toString()))
                    .hasEntrySatisfying(
                            "cloudEvents:source", source -> assertThat(source).hasToString("/contract"))
                    .hasEntrySatisfying(
                            "cloudEvents:specversion",
                            version -> assertThat(version).hasToString("1.0"))
                    .hasEntrySatisfying(
                            "cloudEvents:type", type -> assertThat(type).hasToString("SampleSent"))
                    .hasEntrySatisfying(
                            "cloudEvents:time", time -> assertThat(time).hasToString("2026-02-03T04:05:06.789Z"))
                    .hasEntrySatisfying(
                            "cloudEvents:subject", key -> assertThat(key).hasToString("order-1"))
                    .hasEntrySatisfying(
                            "cloudEvents:tenantid", tenant -> assertThat(tenant).hasToString("acme"))
                    .hasEntrySatisfying(
                            "cloudEvents:traceparent",
                            trace -> assertThat(trace).hasToString("00-a-b-01"))
                    .hasEntrySatisfying(
                            "traceparent", trace -> assertThat(trace).hasToString("00-a-b-01"))
                    .hasEntrySatisfying("shop", shop -> assertThat(shop).hasToString("north"));
        }

        @Test
        void structured_mode_is_json_that_the_official_reader_reads() throws Exception {
            TestQueue queue = queue("#");
            Delivery delivery = SampleDelivery.to("orders")
                    .key("k")
                    .headers(Map.of("shop", "north"))
                    .build();
            RabbitMq transport = closedAfterwards(
                    RabbitMq.at(broker.uri()).exchange(queue.exchange).contentMode(ContentMode.STRUCTURED));
            assertThat(send(transport, delivery)).isEqualTo(Outcome.confirmed());

            Received received = first(queue);
            assertThat(queue.properties.get(0).getContentType()).startsWith("application/cloudevents+json");
            assertThat(received.event().getId()).isEqualTo(delivery.id().toString());
            assertThat(received.event().getSubject()).isEqualTo("k");
            assertThat(new String(received.event().getData().toBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("sample");
            assertThat(received.headers()).containsEntry("shop", "north");
        }

        @Test
        void the_routing_key_is_the_topic_unless_another_is_given() throws Exception {
            TestQueue queue = queue("fixed.key");
            assertThat(send(
                            closedAfterwards(RabbitMq.at(broker.uri())
                                    .exchange(queue.exchange)
                                    .routingKey("fixed.key")),
                            sample("any")))
                    .isEqualTo(Outcome.confirmed());
            assertThat(send(
                            closedAfterwards(RabbitMq.at(broker.uri())
                                    .exchange(queue.exchange)
                                    .routingKey(delivery -> "fixed." + delivery.topic())),
                            sample("key")))
                    .isEqualTo(Outcome.confirmed());
            eventually().until(() -> queue.received().size() == 2);
        }

        @Test
        void the_default_exchange_routes_to_the_queue_of_that_name() throws Exception {
            TestQueue queue = queue("nothing");
            RabbitMq transport =
                    closedAfterwards(RabbitMq.at(broker.uri()).exchange("").routingKey(queue.queue));
            assertThat(send(transport, sample("any"))).isEqualTo(Outcome.confirmed());
            first(queue);
        }
    }

    @Nested
    @Tag("R26")
    class the_topic_is_held {

        @Test
        void when_no_queue_takes_it_although_the_broker_confirms_what_it_returned() throws Exception {
            TestQueue queue = queue("bound");
            RabbitMq transport = to(queue);
            for (int i = 0; i < 20; i++) {
                CompletableFuture<Outcome> unroutable = begin(transport, sample("unbound"));
                CompletableFuture<Outcome> routable = begin(transport, sample("bound"));
                assertThat(outcome(unroutable)).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
                    assertThat(failed.scope()).isEqualTo(Scope.TOPIC);
                    assertThat(failed.reason()).isEqualTo(FailureReason.TRANSPORT_UNAVAILABLE);
                    assertThat(failed.error()).contains(queue.exchange, "'unbound'");
                });
                assertThat(outcome(routable)).isEqualTo(Outcome.confirmed());
            }
            queue.bind("unbound");
            assertThat(send(transport, sample("unbound"))).isEqualTo(Outcome.confirmed());
        }

        @Test
        void while_its_queue_is_full_and_rejects() throws Exception {
            TestQueue queue = closedAfterwards(
                    TestQueue.declared(broker, Map.of("x-max-length", 1, "x-overflow", "reject-publish")));
            queue.bind("full");
            RabbitMq transport = to(queue);
            eventually().until(() -> send(transport, sample("full")) instanceof Outcome.Failed);
            Outcome.Failed failed = failure(transport, sample("full"));
            assertThat(failed.scope()).isEqualTo(Scope.TOPIC);
            assertThat(failed.error()).contains("'full'", "rejected");

            queue.consume();
            eventually().until(() -> send(transport, sample("full")).equals(Outcome.confirmed()));
        }
    }

    @Nested
    @Tag("R26")
    class the_destination_is_held {

        @Test
        void when_the_password_is_wrong() throws Exception {
            String uri = broker.uri().replace(":" + broker.password() + "@", ":wrong-word@");
            Outcome.Failed failed = failure(closedAfterwards(RabbitMq.at(uri)), sample("any"));
            assertThat(failed.scope()).isEqualTo(Scope.DESTINATION);
            assertThat(failed.error()).contains("user or password").doesNotContain("wrong-word");
        }

        @Test
        void when_there_is_no_such_virtual_host() throws Exception {
            Outcome.Failed failed = failure(
                    closedAfterwards(RabbitMq.at(
                            URI.create(broker.uri()).resolve("/no-such-host").toString())),
                    sample("any"));
            assertThat(failed.scope()).isEqualTo(Scope.DESTINATION);
            assertThat(failed.error()).contains("no-such-host");
        }

        @Test
        void when_the_exchange_has_gone_until_it_has_declared_it_again() throws Exception {
            TestQueue queue = queue("any");
            RabbitMq transport = to(queue);
            assertThat(send(transport, sample("any"))).isEqualTo(Outcome.confirmed());
            queue.channel().exchangeDelete(queue.exchange);
            assertThat(failure(transport, sample("any")).scope()).isEqualTo(Scope.DESTINATION);

            // Without its binding the message comes back: the exchange is there.
            eventually().until(() -> failure(transport, sample("any")).scope() == Scope.TOPIC);
            queue.bind("any");
            assertThat(send(transport, sample("any"))).isEqualTo(Outcome.confirmed());
        }
    }

    @Nested
    class the_exchange {

        @Test
        void is_declared_durable_and_of_type_topic_when_it_is_missing() throws Exception {
            TestQueue queue = queue("any");
            queue.channel().exchangeDelete(queue.exchange);
            assertThat(failure(to(queue), sample("any")).scope()).isEqualTo(Scope.TOPIC);
            queue.channel().exchangeDeclare(queue.exchange, "topic", true); // refused if it were another
            assertThat(queue.channel().isOpen()).isTrue();
        }

        @Test
        void of_another_type_is_used_as_it_is() throws Exception {
            TestQueue queue = queue("any");
            queue.channel().exchangeDelete(queue.exchange);
            queue.channel().exchangeDeclare(queue.exchange, "fanout", false);
            queue.bind("");
            assertThat(send(to(queue), sample("whatever"))).isEqualTo(Outcome.confirmed());
        }
    }

    @Nested
    @Tag("R26")
    class a_broker_that_never_confirms {

        @Test
        void is_given_up_after_the_timeout_and_tried_anew() throws Exception {
            TestQueue queue = queue("any");
            TcpProxy proxy = closedAfterwards(TcpProxy.to(broker.host(), broker.port()));
            RabbitMq transport = closedAfterwards(RabbitMq.at(broker.uriAt(proxy.port()))
                    .exchange(queue.exchange)
                    .confirmTimeout(Duration.ofMillis(500)));
            assertThat(send(transport, sample("any"))).isEqualTo(Outcome.confirmed());

            proxy.stallAnswers();
            Outcome.Failed failed = failure(transport, sample("any"));
            assertThat(failed.reason()).isEqualTo(FailureReason.TIMEOUT);
            assertThat(failed.scope()).isEqualTo(Scope.UNCLEAR);
            proxy.flow();
            eventually().until(() -> send(transport, sample("any")).equals(Outcome.confirmed()));
        }

        @Test
        void is_not_sent_more_than_it_may_owe_answers_for() throws Exception {
            TestQueue queue = queue("any");
            TcpProxy proxy = closedAfterwards(TcpProxy.to(broker.host(), broker.port()));
            RabbitMq transport =
                    closedAfterwards(RabbitMq.at(broker.uriAt(proxy.port())).exchange(queue.exchange));
            assertThat(send(transport, sample("any"))).isEqualTo(Outcome.confirmed());
            proxy.stallAnswers();
            for (int i = 0; i < transport.capacity(); i++) {
                CompletableFuture<Outcome> unused = begin(transport, sample("any"));
            }
            Outcome.Failed failed = failure(transport, sample("any"));
            assertThat(failed.scope()).isEqualTo(Scope.DESTINATION);
            assertThat(failed.error()).contains("4096");
        }
    }

    @Test
    @Tag("R21")
    void a_message_that_is_stuck_in_the_socket_at_its_deadline_never_arrives() throws Exception {
        TestQueue queue = queue("any");
        TcpProxy proxy = closedAfterwards(TcpProxy.to(broker.host(), broker.port()));
        RabbitMq transport =
                closedAfterwards(RabbitMq.at(broker.uriAt(proxy.port())).exchange(queue.exchange));
        assertThat(send(transport, sample("any"))).isEqualTo(Outcome.confirmed());

        proxy.stall();
        Delivery stuck = SampleDelivery.to("any")
                .payload(new byte[60_000_000])
                .deadline(Duration.ofMillis(500))
                .build();
        Outcome.Failed failed = failure(transport, stuck);
        assertThat(failed.scope()).isEqualTo(Scope.UNCLEAR);
        proxy.flow();
        eventually().until(() -> send(transport, sample("any")).equals(Outcome.confirmed()));
        assertThat(queue.received())
                .extracting(received -> received.event().getId())
                .doesNotContain(stuck.id().toString());
    }

    @Test
    @Tag("R20")
    void connections_that_break_again_and_again_lose_no_confirmed_message_and_answer_each_once() throws Exception {
        TestQueue queue = queue("any");
        TcpProxy proxy = closedAfterwards(TcpProxy.to(broker.host(), broker.port()));
        RabbitMq transport =
                closedAfterwards(RabbitMq.at(broker.uriAt(proxy.port())).exchange(queue.exchange));
        Map<String, List<Outcome>> answers = new ConcurrentHashMap<>();
        for (int cuts = 0; cuts < 10; cuts++) {
            eventually().until(() -> send(transport, sample("any")).equals(Outcome.confirmed()));
            int before = confirmed(answers).size();
            for (int i = 0; i < 1_000; i++) {
                Delivery delivery = sample("any");
                List<Outcome> mine = new CopyOnWriteArrayList<>();
                answers.put(delivery.id().toString(), mine);
                transport.send(delivery, mine::add);
                if (i == 400) { // a fast sender would be cut before the broker has confirmed anything
                    eventually().until(() -> confirmed(answers).size() > before);
                } else if (i == 500) {
                    proxy.cut();
                }
            }
            eventually().until(() -> answers.values().stream().noneMatch(List::isEmpty));
        }
        transport.close();
        assertThat(answers.values()).allSatisfy(mine -> assertThat(mine).hasSize(1));
        Set<String> confirmed = confirmed(answers);
        assertThat(confirmed).hasSizeBetween(1, answers.size() - 1);
        eventually().untilAsserted(() -> assertThat(ids(queue)).containsAll(confirmed));
    }

    private static Set<String> confirmed(Map<String, List<Outcome>> answers) {
        Set<String> ids = new HashSet<>(answers.keySet());
        ids.removeIf(id -> !answers.get(id).contains(Outcome.confirmed()));
        return ids;
    }

    private static Set<String> ids(TestQueue queue) {
        Set<String> ids = new HashSet<>();
        queue.received().forEach(received -> ids.add(received.event().getId()));
        return ids;
    }

    @Test
    @Tag("R35")
    void closing_ends_its_threads() throws Exception {
        RabbitMq transport = to(queue("any"));
        assertThat(send(transport, sample("any"))).isEqualTo(Outcome.confirmed());
        assertThat(threads()).isPositive();
        transport.close();
        eventually().until(() -> threads() == 0);
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("postroom-rabbitmq"))
                .count();
    }
}
