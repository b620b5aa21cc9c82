package dev.postroom.kafka;

import dev.postroom.PostroomException;
import dev.postroom.secrets.Secrets;
import dev.postroom.transport.cloudevents.WireFormat;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;

/**
 * Where to and how, checked. Immutable.
 *
 * @param topic where everything goes, or null for each message's own topic
 * @param properties for the producer; may contain passwords, so they are never shown
 * @param tls whom to trust and which certificate to show; null for what the properties say
 */
record KafkaSettings(
        String bootstrapServers,
        @Nullable String topic,
        Map<String, String> properties,
        WireFormat format,
        @Nullable SSLContext tls) {

    /** What delivery depends on, and the only values that it works with. */
    private static final Map<String, String> FIXED = Map.of(
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true",
            ProducerConfig.ACKS_CONFIG, "all");

    private static final Set<String> OURS = Set.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            ProducerConfig.TRANSACTIONAL_ID_CONFIG,
            ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
            ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG);

    private static final int MOST_IN_FLIGHT = 5;

    KafkaSettings {
        if (bootstrapServers.isBlank()) {
            throw new PostroomException("bootstrap-servers is empty: give at least one broker, like localhost:9092");
        }
        properties = Map.copyOf(properties);
        properties.forEach(KafkaSettings::check);
        if (tls != null) {
            GivenTls.check(properties);
        }
    }

    private static void check(String name, String value) {
        String needed = FIXED.get(name);
        if (needed != null && !needed.equals(value.strip())) {
            throw new PostroomException("the Kafka property " + name + " must be " + needed + " (was " + value
                    + "), or messages could be lost or reordered: remove it");
        }
        if (OURS.contains(name)) {
            throw new PostroomException("the Kafka property " + name + " is not for users to set: remove it");
        }
        if (name.equals(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION) && !isUpTo(value, MOST_IN_FLIGHT)) {
            throw new PostroomException("the Kafka property " + name + " must be 1 to " + MOST_IN_FLIGHT + " (was "
                    + value + "), or messages could be reordered: lower it");
        }
    }

    private static boolean isUpTo(String value, int most) {
        try {
            int number = Integer.parseInt(value.strip());
            return number >= 1 && number <= most;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    KafkaSettings topic(String fixed) {
        return new KafkaSettings(bootstrapServers, fixed, properties, format, tls);
    }

    KafkaSettings properties(Map<String, String> more) {
        Map<String, String> all = new TreeMap<>(properties);
        all.putAll(more);
        return new KafkaSettings(bootstrapServers, topic, all, format, tls);
    }

    KafkaSettings format(WireFormat newFormat) {
        return new KafkaSettings(bootstrapServers, topic, properties, newFormat, tls);
    }

    KafkaSettings tls(SSLContext context) {
        return new KafkaSettings(bootstrapServers, topic, properties, format, context);
    }

    String topicOf(String messageTopic) {
        return topic == null ? messageTopic : topic;
    }

    /** A producer's configuration: ours first, then what the user set. */
    Map<String, Object> producer(ProducerTimes times) {
        Map<String, Object> all = new HashMap<>();
        all.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, times.request());
        all.put(ProducerConfig.LINGER_MS_CONFIG, times.linger());
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, times.block());
        // A record has many headers: in Kafka's own batches of 16 KiB there would be room for two dozen of them only.
        all.put(ProducerConfig.BATCH_SIZE_CONFIG, 128 << 10);
        // The largest message of an outbox and its headers fit; the broker's own limit may be lower.
        all.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 2 << 20);
        all.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000);
        all.put(ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        all.putAll(properties);
        all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, times.delivery());
        all.putAll(FIXED);
        GivenTls.add(tls, all);
        return all;
    }

    /** Those among the properties' values. */
    Secrets secrets() {
        return KafkaSecrets.in(properties);
    }
}
