package dev.postroom.benchmark;

import dev.postroom.kafka.Kafka;
import dev.postroom.spi.Transport;
import dev.postroom.testbed.KafkaBroker;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Kafka with one topic of a few partitions that gets everything. */
final class KafkaForBench implements Broker {
    private static final String TOPIC = "bench.orders";
    private static final int PARTITIONS = 4;
    private static final int PATIENCE_SECONDS = 60;

    private final KafkaBroker broker = KafkaBroker.startWithoutNetwork();
    private final Admin admin;
    private long taken;

    KafkaForBench() throws Exception {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", broker.address());
        this.admin = Admin.create(properties);
        admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1)))
                .all()
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public Transport transport() {
        return Kafka.at(broker.address());
    }

    @Override
    public BareClient bareClient(Map<String, String> attributes) {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", broker.address());
        properties.put("acks", "all");
        properties.put("enable.idempotence", "true");
        KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        producer.partitionsFor(TOPIC);
        return new BareClient() {
            @Override
            public void publish(String key, byte[] payload, Runnable confirmed) {
                ProducerRecord<byte[], byte[]> record =
                        new ProducerRecord<>(TOPIC, key.getBytes(StandardCharsets.UTF_8), payload);
                attributes.forEach(
                        (name, value) -> record.headers().add("ce_" + name, value.getBytes(StandardCharsets.UTF_8)));
                // The callback tells all that the future would.
                var unused = producer.send(record, (metadata, error) -> {
                    if (error == null) {
                        confirmed.run();
                    }
                });
            }

            @Override
            public void close() {
                producer.close();
            }
        };
    }

    @Override
    public long takeArrived() throws Exception {
        Map<TopicPartition, OffsetSpec> ends = IntStream.range(0, PARTITIONS)
                .mapToObj(number -> new TopicPartition(TOPIC, number))
                .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
        long end = 0;
        for (var offset : admin.listOffsets(ends)
                .all()
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .values()) {
            end += offset.offset();
        }
        long arrived = end - taken;
        taken = end;
        return arrived;
    }

    @Override
    public void close() {
        admin.close();
        broker.close();
    }
}
