package dev.postroom.rabbitmq;

import static dev.postroom.rabbitmq.Sends.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What somebody can do to a consumer who may write to its queue: nothing to the messages of others. */
@Tag("R41")
@Tag("R60")
@Timeout(180)
class ForgedMessagesTest {
    private static final byte[] BODY = "x".getBytes(StandardCharsets.UTF_8);
    /** A frame has 131,072 bytes, and all properties of a message must fit into one. */
    private static final int NEARLY_A_FRAME = 130_700;

    /** Room for the message, and none for what a second try would have to know. */
    private static final int NO_ROOM_FOR_A_RETRY = 130_900;

    private InboxFixture fixture;
    private RabbitMqInbox consumer;

    @BeforeEach
    void open() throws Exception {
        fixture = InboxFixture.onSharedBroker();
    }

    @AfterEach
    void close() {
        if (consumer != null) {
            consumer.close();
        }
        fixture.close();
    }

    private void start() {
        consumer = fixture.consumer().concurrency(1).start(fixture.inbox(), InboxFixture::bill);
    }

    private static BasicProperties event(Map<String, Object> headers) {
        return new BasicProperties.Builder().headers(headers).deliveryMode(2).build();
    }

    private static String header(GetResponse letter, String name) {
        return String.valueOf(letter.getProps().getHeaders().get(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"m\0", "m\ud800", "m\udc00x", "", "\u0085"})
    void an_odd_id_is_a_dead_letter_and_holds_nobody(String id) throws Exception {
        start();
        fixture.send(event(Map.of("cloudEvents:id", id)), BODY);
        fixture.send("honest", "1");
        eventually().until(() -> fixture.bills().contains("honest"));
        // A half surrogate pair is a question mark on the wire: another id, but a legal one.
        if (id.chars().noneMatch(c -> Character.isSurrogate((char) c))) {
            assertThat(header(fixture.deadLetter(), "postroom-reason")).isEqualTo("VALIDATION_FAILURE");
            assertThat(fixture.bills()).containsExactly("honest");
        }
    }

    @Test
    void headers_that_leave_no_room_for_ours_are_shortened_and_hold_nobody() throws Exception {
        start();
        fixture.send(event(Map.of("cloudEvents:id", "i".repeat(NEARLY_A_FRAME), "small", "kept")), BODY);
        fixture.send("honest", "1");
        GetResponse letter = fixture.deadLetter();
        assertThat(header(letter, "postroom-reason")).isEqualTo("VALIDATION_FAILURE");
        assertThat(header(letter, "postroom-dropped")).isEqualTo("cloudEvents:id");
        assertThat(header(letter, "small")).isEqualTo("kept");
        assertThat(letter.getBody()).isEqualTo(BODY);
        eventually().until(() -> fixture.bills().equals(List.of("honest")));
    }

    @Test
    void what_has_no_room_to_be_tried_again_is_a_dead_letter() throws Exception {
        consumer = fixture.consumer().concurrency(1).start(fixture.inbox(), (message, tx) -> {
            if (message.id().equals("large")) {
                throw new IllegalStateException("no");
            }
            InboxFixture.bill(message, tx);
        });
        fixture.send(event(Map.of("cloudEvents:id", "large", "stuffing", "s".repeat(NO_ROOM_FOR_A_RETRY))), BODY);
        fixture.send("honest", "1");
        GetResponse letter = fixture.deadLetter();
        assertThat(header(letter, "postroom-reason")).isEqualTo("HANDLER_EXCEPTION");
        assertThat(header(letter, "postroom-dropped")).isEqualTo("stuffing");
        assertThat(header(letter, "cloudEvents:id")).isEqualTo("large");
        eventually().until(() -> fixture.bills().equals(List.of("honest")));
    }

    /** CloudEvents are known by source and id: another source counts on its own. */
    @Test
    @Tag("R40")
    void an_id_that_another_source_has_used_is_another_message() throws Exception {
        start();
        fixture.send(event(Map.of("cloudEvents:id", "1", "cloudEvents:source", "/forger")), BODY);
        fixture.send(event(Map.of("cloudEvents:id", "1", "cloudEvents:source", "/shop")), BODY);
        fixture.send(event(Map.of("cloudEvents:id", "1", "cloudEvents:source", "/shop")), BODY);
        fixture.send("last", "1");
        eventually().until(() -> fixture.bills().contains("last"));
        assertThat(fixture.bills()).containsExactly("1", "1", "last");
    }
}
