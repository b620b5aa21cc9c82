package dev.postroom.kafka;

import dev.postroom.PostroomException;
import dev.postroom.secrets.Secrets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;

/**
 * What a consumer listens to, and how. Immutable.
 *
 * @param deadLetterTopic where dead letters go, or null for the topic they came from with {@code .dead} behind it
 * @param properties for consumer and producer; may contain passwords, so they are never shown
 * @param tls whom to trust and which certificate to show; null for what the properties say
 */
record InboxSettings(
        String bootstrapServers,
        String group,
        List<String> topics,
        @Nullable String deadLetterTopic,
        Map<String, String> properties,
        @Nullable SSLContext tls,
        Duration stopTimeout) {
    private static final String DEAD = ".dead";
    /** Few, so that a batch is done long before the group takes this consumer for dead. */
    private static final int RECORDS_AT_ONCE = 100;

    private static final int MAX_POLL_MILLIS = 300_000;

    private static final Set<String> OURS = Set.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            ConsumerConfig.GROUP_ID_CONFIG,
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
            ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
            ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG,
            ProducerConfig.ACKS_CONFIG,
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            ProducerConfig.TRANSACTIONAL_ID_CONFIG);

    InboxSettings {
        if (bootstrapServers.isBlank()) {
            throw new PostroomException("bootstrap servers are empty: give at least one broker, like localhost:9092");
        }
        if (group.isBlank()) {
            throw new PostroomException("the consumer group's name is empty: give it one, such as billing");
        }
        topics = List.copyOf(topics);
        if (topics.isEmpty()) {
            throw new PostroomException("there is no topic to consume: name at least one with topics");
        }
        if (stopTimeout.isNegative()) {
            throw new PostroomException("the stop timeout must not be negative (was " + stopTimeout + ")");
        }
        properties = Map.copyOf(properties);
        if (tls != null) {
            GivenTls.check(properties);
        }
        for (String name : properties.keySet()) {
            if (OURS.contains(name)) {
                throw new PostroomException("the Kafka property " + name + " is not for users to set: remove it");
            }
        }
    }

    /** Those among the properties' values. */
    Secrets secrets() {
        return KafkaSecrets.in(properties);
    }

    String deadLetterTopicOf(String topic) {
        return deadLetterTopic == null ? topic + DEAD : deadLetterTopic;
    }

    /** How long records may be handled before the group must hear of this consumer again. */
    Duration pollInterval() {
        return Duration.ofMillis(MAX_POLL_MILLIS);
    }

    Map<String, Object> consumer() {
        Map<String, Object> all = new HashMap<>();
        all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        all.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, RECORDS_AT_ONCE);
        all.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000);
        all.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        all.putAll(properties);
        all.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        all.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        all.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, MAX_POLL_MILLIS);
        GivenTls.add(tls, all);
        return all;
    }

    /** The same access, without what only a consumer understands. */
    private Map<String, Object> shared(Set<String> understood) {
        Map<String, Object> all = new HashMap<>();
        properties.forEach((name, value) -> {
            if (understood.contains(name)) {
                all.put(name, value);
            }
        });
        all.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        GivenTls.add(tls, all);
        return all;
    }

    Map<String, Object> admin() {
        return shared(AdminClientConfig.configNames());
    }

    Map<String, Object> producer() {
        Map<String, Object> all = shared(ProducerConfig.configNames());
        all.put(ProducerConfig.ACKS_CONFIG, "all");
        all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 10_000);
        all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
        all.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000);
        all.put(ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        return all;
    }
}
