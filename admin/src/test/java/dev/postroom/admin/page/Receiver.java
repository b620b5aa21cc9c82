package dev.postroom.admin.page;

import dev.postroom.FailureReason;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** A destination that answers as a test says, by topic; everything else arrives. */
final class Receiver implements Transport {
    private final Map<String, Outcome> answers = new ConcurrentHashMap<>();

    /** The message dies at once. */
    void refuse(String topic, String error) {
        answers.put(topic, Outcome.failed(FailureReason.VALIDATION_FAILURE, error));
    }

    /** The message is tried again, much later. */
    void fail(String topic, String error) {
        answers.put(topic, Outcome.failed(FailureReason.HANDLER_EXCEPTION, error));
    }

    /** The topic is held and probed. */
    void beAway(String topic, String error) {
        answers.put(topic, Outcome.topicUnavailable(error));
    }

    void accept(String topic) {
        answers.remove(topic);
    }

    void acceptAll() {
        answers.clear();
    }

    @Override
    public void send(Delivery delivery, Consumer<Outcome> outcome) {
        outcome.accept(answers.getOrDefault(delivery.stream().topic(), Outcome.confirmed()));
    }
}
