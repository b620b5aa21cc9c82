package dev.postroom.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Partitions that stand still because their next record failed. The number of its attempts is committed with the offset, as
 * its metadata: whoever gets the partition next goes on counting. For the consumer's thread.
 */
final class Holds implements ConsumerRebalanceListener {
    private static final String METADATA = "postroom-attempt=";

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, Long> due = new HashMap<>();
    private final Map<TopicPartition, Attempt> attempts = new HashMap<>();
    private boolean assigned;

    Holds(KafkaConsumer<byte[], byte[]> consumer) {
        this.consumer = consumer;
    }

    private record Attempt(long offset, int number) {}

    /** Makes the partition stand still at this record, and says what to commit. */
    OffsetAndMetadata hold(TopicPartition partition, long offset, int attempt, Duration delay) {
        consumer.pause(Set.of(partition));
        consumer.seek(partition, offset);
        due.put(partition, System.nanoTime() + delay.toNanos());
        attempts.put(partition, new Attempt(offset, attempt));
        return new OffsetAndMetadata(offset, METADATA + attempt);
    }

    /** Lets go on what has waited long enough. */
    void release(long now) {
        due.entrySet().removeIf(entry -> {
            boolean over = now - entry.getValue() >= 0;
            if (over) {
                consumer.resume(Set.of(entry.getKey()));
            }
            return over;
        });
    }

    /** The number of the record's next try. */
    int attempt(TopicPartition partition, long offset) {
        Attempt last = attempts.get(partition);
        return last != null && last.offset() == offset ? last.number() : 1;
    }

    /** Whether the group has said which partitions are this consumer's; that may be none. */
    boolean isAssigned() {
        return assigned;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        assigned = true;
        consumer.committed(Set.copyOf(partitions)).forEach((partition, committed) -> {
            if (committed != null && committed.metadata().startsWith(METADATA)) {
                attempts.put(partition, new Attempt(committed.offset(), number(committed.metadata())));
            }
        });
    }

    private static int number(String metadata) {
        try {
            return Math.max(1, Integer.parseInt(metadata.substring(METADATA.length())));
        } catch (NumberFormatException foreign) {
            return 1;
        }
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        partitions.forEach(due::remove);
        partitions.forEach(attempts::remove);
    }
}
