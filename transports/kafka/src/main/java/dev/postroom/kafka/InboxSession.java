package dev.postroom.kafka;

import dev.postroom.handler.DeliveryFailedException;
import dev.postroom.inbox.Reception;
import dev.postroom.inbox.Verdict;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One consumer in its group, from joining to leaving. Records of a partition are handled one after the other; a failed one
 * holds its partition, so that none overtakes it, and the others go on. How far a partition is gets committed after each
 * batch: what was handled and not committed comes again, and the inbox knows it. For one thread.
 */
final class InboxSession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaInbox.class);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration LEAVE = Duration.ofSeconds(3);
    private static final Duration COMMIT = Duration.ofSeconds(10);
    private static final Duration NOT_NOW = Duration.ofSeconds(1);

    private final InboxSettings settings;
    private final Reception reception;
    private final CountDownLatch stop;
    private final DeadLetters deadLetters;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Holds holds;

    InboxSession(InboxSettings settings, Reception reception, CountDownLatch stop) {
        this.settings = settings;
        this.reception = reception;
        this.stop = stop;
        this.deadLetters = new DeadLetters(settings, reception.consumer());
        this.consumer =
                new KafkaConsumer<>(settings.consumer(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.holds = new Holds(consumer);
    }

    /** Until it is told to stop, or the client gives up. Tells when it knows its partitions and its place in them. */
    void run(Runnable onPlaced) {
        consumer.subscribe(settings.topics(), holds);
        boolean placed = false;
        while (!isStopping()) {
            holds.release(System.nanoTime());
            ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
            if (!placed && isPlaced()) {
                placed = true;
                onPlaced.run();
            }
            handle(records);
        }
    }

    /** Without a place, what is written now could be skipped: a group that is new begins where the topic ends then. */
    private boolean isPlaced() {
        if (!holds.isAssigned()) {
            return false;
        }
        try {
            consumer.assignment().forEach(partition -> consumer.position(partition, COMMIT));
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    private boolean isStopping() {
        return stop.getCount() == 0;
    }

    private void handle(ConsumerRecords<byte[], byte[]> records) {
        Map<TopicPartition, OffsetAndMetadata> progress = new HashMap<>();
        long end = System.nanoTime() + settings.pollInterval().toNanos() / 3;
        for (TopicPartition partition : records.partitions()) {
            for (ConsumerRecord<byte[], byte[]> record : records.records(partition)) {
                // Where handlers are so slow, the rest of the batch is read anew: the group must hear of this consumer.
                if (isStopping() || System.nanoTime() >= end) {
                    consumer.seek(partition, record.offset());
                    break;
                }
                OffsetAndMetadata reached = handle(partition, record);
                progress.put(partition, reached);
                if (reached.offset() == record.offset()) {
                    break; // it is held
                }
            }
        }
        commit(progress);
    }

    /** Where the partition goes on: behind the record, or at it, when it is to be tried again. */
    private OffsetAndMetadata handle(TopicPartition partition, ConsumerRecord<byte[], byte[]> record) {
        int attempt = holds.attempt(partition, record.offset());
        Verdict verdict = receive(record, attempt);
        if (verdict instanceof Verdict.Dead dead && !deadLetters.send(record, dead)) {
            verdict = new Verdict.NotNow("the dead letter could not be sent");
        }
        if (verdict instanceof Verdict.Again again) {
            return holds.hold(partition, record.offset(), again.attempt(), again.delay());
        }
        if (verdict instanceof Verdict.NotNow) {
            return holds.hold(partition, record.offset(), attempt, NOT_NOW);
        }
        return new OffsetAndMetadata(record.offset() + 1);
    }

    private Verdict receive(ConsumerRecord<byte[], byte[]> record, int attempt) {
        try {
            return reception.receive(ReceivedRecord.of(record, attempt), "kafka", record.topic());
        } catch (DeliveryFailedException e) {
            return reception.refused(e.reason(), String.valueOf(e.getMessage()));
        }
    }

    /** A commit that the group refuses, because the partition is somebody else's by now, is nothing to mend. */
    private void commit(Map<TopicPartition, OffsetAndMetadata> progress) {
        if (progress.isEmpty()) {
            return;
        }
        try {
            consumer.commitSync(progress, COMMIT);
        } catch (CommitFailedException | RebalanceInProgressException e) {
            LOG.info("INBOX_REBALANCED consumer={} group={}", reception.consumer(), settings.group());
        }
    }

    /** What replaces this way of closing, since Kafka 4.1, is missing from the 3.9 that Spring Boot 3.5 brings. */
    @Override
    @SuppressWarnings("deprecation")
    public void close() {
        try {
            consumer.close(LEAVE);
        } finally {
            deadLetters.close();
        }
    }
}
