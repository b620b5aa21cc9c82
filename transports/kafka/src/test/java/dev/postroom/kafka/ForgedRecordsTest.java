package dev.postroom.kafka;

import static dev.postroom.kafka.InboxFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.testbed.H2;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What somebody can do to a consumer who may write to its topic: nothing to the messages of others. */
@Tag("R41")
@Tag("R60")
@Timeout(180)
class ForgedRecordsTest {
    /** The broker takes 1,048,588 bytes, and the producer one less than a MiB; a dead letter needs room for its headers. */
    private static final int NEARLY_TOO_LARGE = 1_048_300;

    private InboxFixture fixture;
    private KafkaInbox consumer;

    @BeforeEach
    void open() throws Exception {
        fixture = new InboxFixture(H2.freshDatabase());
        consumer = fixture.consumer().start(fixture.inbox(), InboxFixture::bill);
    }

    @AfterEach
    void close() {
        consumer.close();
        fixture.close();
    }

    /** All in one partition, so that one that holds it would hold the others. */
    private void send(byte[] id, String source, int bytes) throws Exception {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(fixture.topic.name(), 0, new byte[] {'k'}, new byte[bytes]);
        record.headers().add("ce_id", id);
        record.headers().add("ce_source", source.getBytes(StandardCharsets.UTF_8));
        fixture.send(record);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        return TestTopic.text(record.headers().lastHeader(name).value());
    }

    @Test
    void odd_ids_are_dead_letters_and_hold_nobody() throws Exception {
        send(utf8("m\0"), "/shop", 1);
        send(utf8(""), "/shop", 1);
        send(utf8("i".repeat(500_000)), "/shop", 1);
        send(new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80}, "/shop", 1); // half a surrogate pair: becomes U+FFFD
        send(utf8("honest"), "/shop", 1);
        eventually().until(() -> fixture.bills().contains("honest"));
        eventually().until(() -> fixture.dead.records().size() == 3);
        assertThat(fixture.dead.records())
                .allSatisfy(
                        letter -> assertThat(header(letter, "postroom-reason")).isEqualTo("VALIDATION_FAILURE"))
                .allSatisfy(
                        letter -> assertThat(header(letter, "postroom-error")).hasSizeLessThan(1_000));
    }

    @Test
    void a_record_too_large_for_the_dead_letters_is_shortened_and_holds_nobody() throws Exception {
        send(utf8("m\0"), "/shop", NEARLY_TOO_LARGE);
        send(utf8("honest"), "/shop", 1);
        eventually().until(() -> fixture.bills().equals(List.of("honest")));
        eventually().until(() -> fixture.dead.records().size() == 1);
        ConsumerRecord<byte[], byte[]> letter = fixture.dead.records().get(0);
        assertThat(header(letter, "postroom-dropped")).isEqualTo("payload and headers");
        assertThat(header(letter, "postroom-offset")).isEqualTo("0");
        assertThat(letter.value()).isNull();
    }

    /** CloudEvents are known by source and id: another source counts on its own. */
    @Test
    @Tag("R40")
    void an_id_that_another_source_has_used_is_another_message() throws Exception {
        send(utf8("1"), "/forger", 1);
        send(utf8("1"), "/shop", 1);
        send(utf8("1"), "/shop", 1);
        send(utf8("last"), "/shop", 1);
        eventually().until(() -> fixture.bills().contains("last"));
        assertThat(fixture.bills()).containsExactly("1", "1", "last");
    }
}
