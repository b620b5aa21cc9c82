package dev.postroom.follow;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The failures in a row of a destination, or of one type there: none of its messages was confirmed in between. */
final class FailureRun {
    /** From so many streams on it is the receiver that fails, and not the messages. */
    static final int STREAMS = 3;
    /** Messages of which the failures are counted one by one. */
    private static final int MOST_MESSAGES = 10_000;

    private final Map<UUID, Integer> failures = new HashMap<>();
    /** Some of the streams that failed, as many as matter; a message without a key is one of its own. */
    private final Set<Object> streams = new HashSet<>();

    private int length;

    void add(Delivery delivery) {
        length++;
        fails(delivery);
    }

    /** One of what is held was tried, and has failed. */
    void fails(Delivery delivery) {
        if (streams.size() < STREAMS) {
            streams.add(streamOf(delivery));
        }
        UUID id = delivery.message().key().id();
        if (failures.size() < MOST_MESSAGES || failures.containsKey(id)) {
            failures.merge(id, 1, Integer::sum);
        }
    }

    static Object streamOf(Delivery delivery) {
        Message message = delivery.message();
        return delivery.isOrdered() ? (Object) message.stream() : message.key().id();
    }

    int length() {
        return length;
    }

    boolean isOfSeveralStreams() {
        return streams.size() >= STREAMS;
    }

    /** Whether all of so many attempts of the message are among these failures. */
    boolean hasAllOf(Message message, int attempts) {
        return failures.getOrDefault(message.key().id(), 0) >= attempts;
    }

    /** Its length is counted anew. */
    void beginAgain() {
        length = 0;
    }

    void clear() {
        if (!streams.isEmpty()) {
            length = 0;
            streams.clear();
            failures.clear();
        }
    }
}
