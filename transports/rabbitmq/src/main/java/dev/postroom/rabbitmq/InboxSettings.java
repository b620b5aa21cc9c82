package dev.postroom.rabbitmq;

import dev.postroom.PostroomException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a consumer listens to, and how. Immutable.
 *
 * @param deadLetterExchange empty for the default exchange, which routes to the queue of that name
 * @param deadLetterKey the routing key of dead letters; on the default exchange their queue, declared when it is missing
 * @param concurrency how many messages are handled at once
 * @param prefetch how many more the broker may send ahead, for each of them
 */
record InboxSettings(
        RabbitMqSettings broker,
        String queue,
        List<Binding> bindings,
        String deadLetterExchange,
        String deadLetterKey,
        int concurrency,
        int prefetch,
        Duration stopTimeout) {
    private static final int LONGEST_NAME = 200; // AMQP takes 255, and the waiting queues' names are longer

    /** Where the queue gets its messages from. */
    record Binding(String exchange, String routingKey) {}

    InboxSettings {
        if (queue.isBlank() || queue.length() > LONGEST_NAME) {
            throw new PostroomException("the queue's name must have 1 to " + LONGEST_NAME + " characters (has "
                    + queue.length() + "): change queue");
        }
        requireRange("concurrency", concurrency, 256);
        requireRange("prefetch", prefetch, 10_000);
        if (stopTimeout.isNegative()) {
            throw new PostroomException("the stop timeout must not be negative (was " + stopTimeout + ")");
        }
        bindings = List.copyOf(bindings);
    }

    private static void requireRange(String what, int value, int most) {
        if (value < 1 || value > most) {
            throw new PostroomException(what + " must be 1 to " + most + " (was " + value + "): change " + what);
        }
    }

    /** The dead letters' queue, when it is ours to declare. */
    @Nullable
    String deadQueue() {
        return deadLetterExchange.isEmpty() ? deadLetterKey : null;
    }
}
