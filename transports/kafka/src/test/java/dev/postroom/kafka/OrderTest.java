package dev.postroom.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Outcome.Scope;
import dev.postroom.testbed.KafkaBroker;
import dev.postroom.testkit.contract.SampleDelivery;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nothing of a stream arrives before what came before it, also when that fails for good in the middle of the pipeline. */
@Tag("R22")
class OrderTest {
    private final Map<UUID, Outcome> outcomes = new ConcurrentHashMap<>();
    private TestTopic topic;
    private Kafka kafka;

    @BeforeEach
    void open() {
        topic = TestTopic.create(
                KafkaBroker.shared(), "orders-" + UUID.randomUUID(), Map.of("max.message.bytes", "5000"));
        // Every record in a batch of its own, so that later ones are under way when an earlier one is refused.
        kafka = Kafka.at(KafkaBroker.shared().address())
                .property("batch.size", "0")
                .property("linger.ms", "0");
    }

    @AfterEach
    void close() {
        kafka.close();
        topic.close();
    }

    private Delivery send(String key, String text) {
        Delivery delivery = SampleDelivery.to(topic.name())
                .key(key)
                .payload(text.getBytes(StandardCharsets.UTF_8))
                .build();
        again(delivery);
        return delivery;
    }

    private void again(Delivery delivery) {
        kafka.send(delivery, outcome -> outcomes.put(delivery.id(), outcome));
    }

    private Outcome outcome(Delivery delivery) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> outcomes.get(delivery.id()), outcome -> outcome != null);
    }

    private static Scope scope(Outcome outcome) {
        return outcome instanceof Outcome.Failed failed ? failed.scope() : null;
    }

    @Test
    void behind_a_record_that_the_broker_refuses_nothing_of_its_stream_arrives() {
        Map<String, Delivery> sent = new LinkedHashMap<>();
        String tooLarge = "x".repeat(6_000);
        for (int i = 0; i < 200; i++) {
            sent.put("" + i, send("a", i == 50 ? tooLarge : "" + i));
        }
        sent.values().forEach(this::outcome);
        Outcome.Failed refused = (Outcome.Failed) outcome(sent.get("50"));
        assertThat(refused.reason()).isEqualTo(FailureReason.VALIDATION_FAILURE);
        assertThat(topic.texts("a")).containsExactlyElementsOf(numbers(0, 50));
        for (int i = 51; i < 200; i++) {
            assertThat(scope(outcome(sent.get("" + i)))).isIn(Scope.DESTINATION, Scope.NOT_SENT);
        }
    }

    @Test
    void behind_a_record_that_the_producer_refuses_nothing_of_its_stream_arrives() {
        List<Delivery> sent = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            sent.add(send("a", i == 50 ? "x".repeat(3_000_000) : "" + i));
        }
        sent.forEach(this::outcome);
        assertThat(topic.texts("a")).containsExactlyElementsOf(numbers(0, 50));
        assertThat(sent.subList(0, 50)).extracting(this::outcome).containsOnly(Outcome.confirmed());
        assertThat(sent.subList(51, 200)).extracting(one -> scope(outcome(one))).containsOnly(Scope.NOT_SENT);
    }

    @Test
    void other_streams_go_on_and_so_does_this_one_when_it_is_sent_again() {
        for (int i = 0; i < 20; i++) {
            send("a", "" + i);
        }
        Delivery bad = send("a", "x".repeat(3_000_000));
        Delivery behind = send("a", "behind");
        Delivery other = send("b", "other");
        assertThat(outcome(other)).isEqualTo(Outcome.confirmed());
        assertThat(scope(outcome(bad))).isEqualTo(Scope.MESSAGE);
        assertThat(scope(outcome(behind))).isEqualTo(Scope.NOT_SENT);

        outcomes.clear();
        again(behind); // as under SKIP, or after an operator released the stream
        Delivery next = send("a", "next");
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
            for (Delivery one : List.of(behind, next)) {
                if (scope(outcome(one)) == Scope.NOT_SENT) {
                    outcomes.remove(one.id());
                    again(one);
                }
            }
            return outcomes.values().stream().allMatch(Outcome.confirmed()::equals);
        });
        List<String> arrived = topic.texts("a");
        assertThat(arrived).containsSubsequence("19", "behind", "next").hasSize(22);
    }

    @Test
    void messages_without_a_key_wait_for_nobody() {
        Delivery bad = send(null, "x".repeat(3_000_000));
        Delivery good = send(null, "good");
        assertThat(scope(outcome(bad))).isEqualTo(Scope.MESSAGE);
        assertThat(outcome(good)).isEqualTo(Outcome.confirmed());
    }

    private static List<String> numbers(int from, int to) {
        List<String> all = new ArrayList<>();
        for (int i = from; i < to; i++) {
            all.add("" + i);
        }
        return all;
    }
}
