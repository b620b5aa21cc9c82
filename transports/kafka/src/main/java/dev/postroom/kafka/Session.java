package dev.postroom.kafka;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** One producer, from its creation to the failure that ends it. */
final class Session {
    private final Producer<byte[], byte[]> producer;
    final ProducerTimes times;
    private final @Nullable Metric connections;
    private final Set<String> topics = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean over = new AtomicBoolean();

    /** May block while names are looked up; throws what the producer throws. */
    Session(KafkaSettings settings, ProducerTimes times) {
        this.times = times;
        this.producer =
                new KafkaProducer<>(settings.producer(times), new ByteArraySerializer(), new ByteArraySerializer());
        this.connections = producer.metrics().values().stream()
                .filter(metric -> metric.metricName().name().equals("connection-count")
                        && metric.metricName().group().equals("producer-metrics"))
                .findFirst()
                .orElse(null);
    }

    Producer<byte[], byte[]> producer() {
        return producer;
    }

    /** Whether it has a connection to any broker now. */
    boolean isConnected() {
        return connections != null && connections.metricValue() instanceof Double count && count > 0;
    }

    boolean knows(String topic) {
        return topics.contains(topic);
    }

    void learned(String topic) {
        topics.add(topic);
    }

    /** It has to be looked up again, because sending to it would block. */
    void forget(String topic) {
        topics.remove(topic);
    }

    boolean isOver() {
        return over.get();
    }

    /** Sends nothing more; what it still has fails. Also from within one of its callbacks. */
    void end() {
        if (over.compareAndSet(false, true)) {
            producer.close(Duration.ZERO);
        }
    }
}
