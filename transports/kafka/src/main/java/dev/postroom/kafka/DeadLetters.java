package dev.postroom.kafka;

import dev.postroom.inbox.Verdict;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where records go that failed for good: with their key, value and headers, and why in headers of ours. For one thread. */
final class DeadLetters implements AutoCloseable {
    static final String PREFIX = "postroom-";

    private static final Logger LOG = LoggerFactory.getLogger(KafkaInbox.class);
    private static final long PATIENCE_SECONDS = 15;
    private static final int LONGEST_KEY = 1_000;

    private final InboxSettings settings;
    private final String consumer;
    private final Set<String> known = new HashSet<>();
    private @Nullable KafkaProducer<byte[], byte[]> producer;

    DeadLetters(InboxSettings settings, String consumer) {
        this.settings = settings;
        this.consumer = consumer;
    }

    /** Whether the broker has it now. */
    boolean send(ConsumerRecord<byte[], byte[]> record, Verdict.Dead dead) {
        String topic = settings.deadLetterTopicOf(record.topic());
        try {
            require(topic);
            try {
                send(letter(topic, record, dead));
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof RecordTooLargeException)) {
                    throw e;
                }
                send(shortened(topic, record, dead));
            }
            return true;
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            LOG.warn(
                    "INBOX_DEAD_LETTER_FAIL consumer={} topic={} error=\"{}\"",
                    consumer,
                    topic,
                    settings.secrets().hide(String.valueOf(e.getMessage())).replaceAll("\\p{Cntrl}", " "));
            return false;
        }
    }

    private void send(ProducerRecord<byte[], byte[]> letter)
            throws InterruptedException, ExecutionException, TimeoutException {
        producer().send(letter).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private KafkaProducer<byte[], byte[]> producer() {
        if (producer == null) {
            producer = new KafkaProducer<>(settings.producer(), new ByteArraySerializer(), new ByteArraySerializer());
        }
        return producer;
    }

    private void require(String topic) throws InterruptedException, ExecutionException, TimeoutException {
        if (known.contains(topic)) {
            return;
        }
        try (Admin admin = Admin.create(settings.admin())) {
            admin.createTopics(List.of(new NewTopic(topic, Optional.empty(), Optional.empty())))
                    .all()
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
        }
        known.add(topic);
    }

    private ProducerRecord<byte[], byte[]> letter(
            String topic, ConsumerRecord<byte[], byte[]> record, Verdict.Dead dead) {
        ProducerRecord<byte[], byte[]> letter = new ProducerRecord<>(topic, record.key(), record.value());
        for (Header header : record.headers()) {
            if (!header.key().startsWith(PREFIX)) {
                letter.headers().add(header);
            }
        }
        addOurs(letter, record, dead);
        return letter;
    }

    /**
     * Only where the whole record is and what is wrong with it. Whoever may write to the topic can make a record so large that
     * nothing can be added to it; it would hold its partition for ever otherwise.
     */
    private ProducerRecord<byte[], byte[]> shortened(
            String topic, ConsumerRecord<byte[], byte[]> record, Verdict.Dead dead) {
        byte[] key = record.key() == null || record.key().length > LONGEST_KEY ? null : record.key();
        ProducerRecord<byte[], byte[]> letter = new ProducerRecord<>(topic, key, null);
        add(letter, "dropped", "payload and headers");
        addOurs(letter, record, dead);
        return letter;
    }

    private void addOurs(
            ProducerRecord<byte[], byte[]> letter, ConsumerRecord<byte[], byte[]> record, Verdict.Dead dead) {
        add(letter, "attempts", Integer.toString(dead.attempts()));
        add(letter, "reason", dead.reason().name());
        add(letter, "error", dead.error());
        add(letter, "consumer", consumer);
        add(letter, "topic", record.topic());
        add(letter, "partition", Integer.toString(record.partition()));
        add(letter, "offset", Long.toString(record.offset()));
        add(letter, "dead-at", InstantSource.system().instant().toString());
    }

    private static void add(ProducerRecord<byte[], byte[]> letter, String name, String value) {
        letter.headers().add(PREFIX + name, value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        if (producer != null) {
            producer.close(java.time.Duration.ofSeconds(1));
        }
    }
}
