package dev.postroom.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.postroom.inbox.Verdict;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** A message's properties when it goes back to the broker: all it came with, and in headers of ours what became of it. */
final class ReturnedAmqp {
    static final String PREFIX = "postroom-";
    static final String ATTEMPT = PREFIX + "attempt";
    static final String ATTEMPTS = PREFIX + "attempts";
    static final String DUE = PREFIX + "due";
    static final String REASON = PREFIX + "reason";
    static final String ERROR = PREFIX + "error";
    static final String CONSUMER = PREFIX + "consumer";
    static final String QUEUE = PREFIX + "queue";
    static final String DEAD_AT = PREFIX + "dead-at";

    /** How often a quorum queue has delivered a message in vain. At its limit the queue drops the message. */
    private static final String DELIVERY_COUNT = "x-delivery-count";
    /** Since RabbitMQ 4.3: how often it has delivered a message at all, also to a consumer that gave it back. */
    private static final String ACQUIRED_COUNT = "x-acquired-count";

    private static final Set<String> COUNTERS = Set.of(DELIVERY_COUNT, ACQUIRED_COUNT);
    /** Of the broker's own notes, such as when it delivered a message. */
    private static final String NOTE = "x-opt-";

    private static final int PERSISTENT = 2;
    /** They would send copies to other queues once more. */
    private static final Set<String> ROUTING_HEADERS = Set.of("CC", "BCC");

    private ReturnedAmqp() {}

    /** Whether a header was written here, or by the broker about queues that a message was taken from. */
    static boolean isOurs(String header) {
        return header.startsWith(PREFIX)
                || COUNTERS.contains(header)
                || header.startsWith(NOTE)
                || header.equals("x-death")
                || header.startsWith("x-first-death-")
                || header.startsWith("x-last-death-");
    }

    /** The number of this try: what the last one wrote, or the first. */
    static int attempt(BasicProperties properties) {
        Object attempt = ReceivedAmqp.headers(properties).get(ATTEMPT);
        return attempt instanceof Number number ? Math.max(1, number.intValue()) : 1;
    }

    /** When to deliver it again, in milliseconds since 1970; 0 when nothing is said about that. */
    static long due(BasicProperties properties) {
        Object due = ReceivedAmqp.headers(properties).get(DUE);
        return due instanceof Number number ? number.longValue() : 0;
    }

    /** How often it has come without being acknowledged, as far as that counts for the broker. */
    static long deliveredInVain(BasicProperties properties) {
        return count(properties, DELIVERY_COUNT);
    }

    /** How often it has come before, whether that counts for the broker or not. */
    static long delivered(BasicProperties properties) {
        return Math.max(count(properties, DELIVERY_COUNT), count(properties, ACQUIRED_COUNT));
    }

    private static long count(BasicProperties properties, String header) {
        return ReceivedAmqp.headers(properties).get(header) instanceof Number number ? number.longValue() : 0;
    }

    /** For a copy of which nothing has become yet, and which the broker has not delivered yet. */
    static BasicProperties renewed(BasicProperties received) {
        Map<String, Object> headers = new HashMap<>(ReceivedAmqp.headers(received));
        headers.keySet().removeAll(COUNTERS);
        headers.keySet().removeAll(ROUTING_HEADERS);
        return with(received, headers);
    }

    static BasicProperties again(BasicProperties received, Verdict.Again again) {
        Map<String, Object> headers = usersHeaders(received);
        headers.put(ATTEMPT, again.attempt());
        headers.put(DUE, InstantSource.system().millis() + again.delay().toMillis());
        headers.put(REASON, again.reason().name());
        headers.put(ERROR, again.error());
        return with(received, headers);
    }

    static BasicProperties dead(BasicProperties received, Verdict.Dead dead, String consumer, String queue) {
        Map<String, Object> headers = usersHeaders(received);
        headers.put(ATTEMPTS, dead.attempts());
        headers.put(REASON, dead.reason().name());
        headers.put(ERROR, dead.error());
        headers.put(CONSUMER, consumer);
        headers.put(QUEUE, queue);
        headers.put(DEAD_AT, InstantSource.system().instant().toString());
        return with(received, headers);
    }

    private static Map<String, Object> usersHeaders(BasicProperties received) {
        Map<String, Object> headers = new HashMap<>(ReceivedAmqp.headers(received));
        headers.keySet().removeIf(ReturnedAmqp::isOurs);
        headers.keySet().removeAll(ROUTING_HEADERS);
        return headers;
    }

    /**
     * Without an expiration, which was meant for the way here and would now make the message vanish; and without the user,
     * because the broker takes nobody's name but the sender's own.
     */
    private static BasicProperties with(BasicProperties received, Map<String, Object> headers) {
        return received.builder()
                .headers(headers)
                .deliveryMode(PERSISTENT)
                .expiration(null)
                .userId(null)
                .build();
    }
}
