package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.assertj.core.api.Condition;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Sends, and keeps every answer to every message. For one sending thread. */
final class Answers {
    static final Duration LIMIT = Duration.ofSeconds(30);

    private final Transport transport;
    private final Map<UUID, List<Outcome>> byId = new LinkedHashMap<>();

    Answers(Transport transport) {
        this.transport = transport;
    }

    Delivery send(Delivery delivery) {
        List<Outcome> answers = new CopyOnWriteArrayList<>();
        byId.put(delivery.id(), answers);
        transport.send(delivery, answers::add);
        return delivery;
    }

    Outcome sendAndAwait(Delivery delivery) {
        return await(send(delivery));
    }

    Outcome await(Delivery delivery) {
        patiently().until(() -> isAnswered(delivery));
        return answer(delivery);
    }

    Map<UUID, Outcome> awaitAll(Collection<Delivery> deliveries) {
        patiently().until(() -> deliveries.stream().allMatch(this::isAnswered));
        return deliveries.stream().collect(Collectors.toMap(Delivery::id, this::answer));
    }

    boolean isAnswered(Delivery delivery) {
        return !answers(delivery).isEmpty();
    }

    Outcome answer(Delivery delivery) {
        return answers(delivery).get(0);
    }

    private List<Outcome> answers(Delivery delivery) {
        return byId.getOrDefault(delivery.id(), List.of());
    }

    boolean wasConfirmed(Delivery delivery) {
        return isAnswered(delivery) && answer(delivery) instanceof Outcome.Confirmed;
    }

    void eachWasGivenExactlyOnce() {
        assertThat(byId).allSatisfy((id, answers) -> assertThat(answers).hasSize(1));
    }

    void noneContains(String secret) {
        assertThat(byId.values())
                .allSatisfy(answers -> assertThat(answers.toString()).doesNotContain(secret));
    }

    static ConditionFactory patiently() {
        return Awaitility.await().atMost(LIMIT).pollInterval(Duration.ofMillis(5));
    }

    static Condition<Outcome> failure(Outcome.Scope... scopes) {
        List<Outcome.Scope> allowed = List.of(scopes);
        return new Condition<>(
                outcome -> outcome instanceof Outcome.Failed failed
                        && allowed.contains(failed.scope())
                        && !failed.reason().isPermanent(),
                "a failure that may be tried again, of scope " + allowed);
    }
}
