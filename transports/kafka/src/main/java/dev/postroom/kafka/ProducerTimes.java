package dev.postroom.kafka;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * A producer's times in milliseconds. A record that it still has when its delivery time ends is given up there; so nothing
 * is put on the wire after the message's deadline, if the record was given to the producer that much before. The
 * deadline comes from the relay's lease, which is not known here but can be seen from the first message.
 */
record ProducerTimes(int delivery, int request, int linger, int block) {
    private static final int SHORTEST = 200;
    /** Below a destination's default timeout of 30 s, so that the producer knows before the relay gives up. */
    private static final int LONGEST = 20_000;

    private static final int LONGEST_BLOCK = 3_000;

    /** @param left until the deadline of the first message */
    static ProducerTimes within(Duration left, Map<String, String> properties) {
        long half = Math.min(LONGEST, Math.max(SHORTEST, left.toMillis() / 2));
        // A longer one that was asked for would leave no time in which anything could be sent.
        int delivery = Math.min((int) half, given(properties, ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) half));
        int linger = given(properties, ProducerConfig.LINGER_MS_CONFIG, 5);
        return new ProducerTimes(
                delivery, Math.max(1, (delivery - linger) * 2 / 3), linger, Math.min(LONGEST_BLOCK, delivery));
    }

    private static int given(Map<String, String> properties, String name, int otherwise) {
        try {
            return Integer.parseInt(properties.getOrDefault(name, "").strip());
        } catch (NumberFormatException e) {
            return otherwise; // the producer itself complains about what is no number
        }
    }
}
