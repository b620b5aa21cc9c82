package dev.postroom.kafka;

import dev.postroom.inbox.ReceivedMessage;
import dev.postroom.spi.Delivery;
import dev.postroom.transport.cloudevents.ContentMode;
import dev.postroom.transport.cloudevents.WireFormat;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/** What fuzzing needs of this package, to which it is closed otherwise. */
public final class KafkaForm {
    private KafkaForm() {}

    /** A message as it would come back. */
    public static ConsumerRecord<byte[], byte[]> sent(Delivery delivery, ContentMode mode) {
        ProducerRecord<byte[], byte[]> record = new KafkaRecords(WireFormat.DEFAULT.mode(mode)).of(delivery, "topic");
        ConsumerRecord<byte[], byte[]> back = new ConsumerRecord<>("topic", 0, 0, record.key(), record.value());
        record.headers().forEach(header -> back.headers().add(header));
        return back;
    }

    public static ReceivedMessage received(ConsumerRecord<byte[], byte[]> record) {
        return ReceivedRecord.of(record, 1);
    }
}
