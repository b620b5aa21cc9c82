package dev.postroom.kafka;

import dev.postroom.testbed.KafkaBroker;
import dev.postroom.testkit.contract.DestinationUnderTest.Received;
import io.cloudevents.kafka.KafkaMessageFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A topic of one test's own, and everything that has arrived there. For one thread. */
final class TestTopic implements AutoCloseable {
    private static final int PARTITIONS = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String name;
    private final List<TopicPartition> partitions = new ArrayList<>();
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<ConsumerRecord<byte[], byte[]>> arrived = new ArrayList<>();

    private TestTopic(String name, KafkaBroker broker) {
        this.name = name;
        for (int i = 0; i < PARTITIONS; i++) {
            partitions.add(new TopicPartition(name, i));
        }
        Properties properties = new Properties();
        properties.put("bootstrap.servers", broker.address());
        properties.put("auto.offset.reset", "earliest");
        properties.put("reconnect.backoff.max.ms", "200");
        this.consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        // Answered by the leaders: a broker takes the lead of a new topic's partitions one after the other, and until
        // then refuses
        // what is sent first and may take what is sent next.
        consumer.endOffsets(partitions, PATIENCE);
    }

    static TestTopic create(KafkaBroker broker) {
        return create(broker, "orders-" + UUID.randomUUID(), Map.of());
    }

    static TestTopic create(KafkaBroker broker, String name, Map<String, String> configuration) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
            admin.createTopics(List.of(new NewTopic(name, PARTITIONS, (short) 1).configs(configuration)))
                    .all()
                    .get();
        } catch (Exception e) {
            throw new IllegalStateException("cannot create topic " + name, e);
        }
        return new TestTopic(name, broker);
    }

    String name() {
        return name;
    }

    /** All that was there when it was asked, in the order of each partition. */
    List<ConsumerRecord<byte[], byte[]>> records() {
        Map<TopicPartition, Long> end = consumer.endOffsets(partitions, PATIENCE);
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (partitions.stream().anyMatch(partition -> consumer.position(partition, PATIENCE) < end.get(partition))) {
            if (System.nanoTime() > giveUp) {
                throw new IllegalStateException("topic " + name + " cannot be read to its end");
            }
            consumer.poll(Duration.ofMillis(100)).forEach(arrived::add);
        }
        return arrived;
    }

    List<String> texts(String key) {
        return records().stream()
                .filter(record -> key.equals(record.key() == null ? null : text(record.key())))
                .map(record -> record.value() == null ? "" : text(record.value()))
                .toList();
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    static Received read(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new TreeMap<>();
        for (Header header : record.headers()) {
            if (!header.key().startsWith("ce_")) {
                headers.put(header.key(), text(header.value()));
            }
        }
        return new Received(
                KafkaMessageFactory.createReader(record).toEvent(), headers, headers.get("content-encoding"));
    }

    @Override
    public void close() {
        consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(Duration.ofSeconds(1)));
    }
}
