package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.DatabaseException;
import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.Stream;
import dev.postroom.operations.MessageStatus;
import dev.postroom.spi.MessageSettler.Cause;
import dev.postroom.spi.MessageSettler.Settled;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Another language writes with plain SQL, and reads the view. */
@Tag("R13")
public abstract class ForeignWriterContract extends StoreContract {
    private static final byte[] HELLO = "{\"grüße\":\"\uD83D\uDE80\"}".getBytes(StandardCharsets.UTF_8);

    @Test
    void topic_and_payload_are_enough() {
        execute("INSERT INTO postroom_message (topic, payload) VALUES ('orders.created', ?)", (Object) HELLO);
        StoredMessage row = only();
        assertThat(row.stream()).isEqualTo(new Stream("", "orders.created", null));
        assertThat(row.content().payload()).isEqualTo(HELLO);
        assertThat(row.content().contentType()).isEqualTo("application/json");
        assertThat(row.content().contentEncoding()).isNull();
        assertThat(row.content().headers()).isEmpty();
        assertThat(row.defect()).isNull();
        assertThat(row.progress()).isEqualTo(new StoredMessage.Progress(RowState.READY, 0, 0, 0, false, null, 0));
        assertThat(Duration.between(row.createdAt(), now()).abs()).isLessThan(Duration.ofMinutes(5));
        assertThat(relay("r").succeed(row).left()).isEqualTo(1);
    }

    @Test
    void every_optional_column_is_delivered() {
        UUID id = UUID.randomUUID();
        execute(
                "INSERT INTO postroom_message (id, tenant, topic, ordering_key, type, content_type, headers, payload,"
                        + " source) VALUES ('" + id + "', 't', 'orders', 'k', 'OrderPlaced', 'text/plain',"
                        + " '{\"a\": \"b\"}', ?, 'shop')",
                (Object) HELLO);
        StoredMessage row = only();
        assertThat(row.key().id()).isEqualTo(id);
        assertThat(row.stream()).isEqualTo(new Stream("t", "orders", "k"));
        assertThat(row.content().type()).isEqualTo("OrderPlaced");
        assertThat(row.content().contentType()).isEqualTo("text/plain");
        assertThat(row.content().headers()).isEqualTo(Map.of("a", "b"));
        assertThat(row.content().source()).isEqualTo("shop");
    }

    @Test
    @Tag("R33")
    void a_foreign_row_that_commits_late_is_read() {
        ReferenceReader reader = reader();
        Tx foreign = begin();
        foreign.execute(
                "INSERT INTO postroom_message (topic, ordering_key, payload) VALUES ('orders', 'k', ?)",
                (Object) HELLO);
        publish(Message.to("orders").key("k"));
        assertThat(reader.readAll()).hasSize(1);
        foreign.commit();
        assertThat(reader.readExactly(1)).hasSize(1);
    }

    @Test
    void what_the_table_cannot_hold_is_refused() {
        for (String values : List.of("'', ?", "NULL, ?", "'" + "t".repeat(256) + "', ?")) {
            assertThatThrownBy(() -> execute(
                            "INSERT INTO postroom_message (topic, payload) VALUES (" + values + ")", (Object) HELLO))
                    .isInstanceOf(DatabaseException.class);
        }
        assertThatThrownBy(() -> execute("INSERT INTO postroom_message (topic) VALUES ('orders')"))
                .isInstanceOf(DatabaseException.class);
        assertThat(count("postroom_message")).isZero();
    }

    @Test
    void numbers_and_booleans_in_headers_are_taken_as_their_text() {
        assertThat(withHeaders("{\"a\": 1, \"b\": true, \"c\": null, \"d\": 1.50}")
                        .content()
                        .headers())
                .isEqualTo(Map.of("a", "1", "b", "true", "d", "1.50"));
    }

    @Test
    @Tag("R25")
    void headers_that_are_no_object_of_strings_are_a_defect_that_can_be_dead_lettered() {
        TestRelay relay = relay("r");
        for (String broken : List.of("{\"a\": {\"b\": 1}}", "[1]", "\"text\"", "17", "{\"a\": [\"b\"]}")) {
            StoredMessage row = withHeaders(broken);
            assertThat(row.defect()).as(broken).contains("headers").contains("retry");
            assertThat(row.content().headers()).isEmpty();
            Settled settled = relay.settle(
                    List.of(),
                    List.of(relay.failure(
                            row,
                            null,
                            true,
                            new Cause(FailureReason.SERIALIZATION, Objects.requireNonNull(row.defect()), null))),
                    true);
            assertThat(settled.stale()).isEmpty();
            assertThat(reader().readAll()).isEmpty();
            assertThat(operator().find(row.key().id()).orElseThrow().item().status())
                    .isEqualTo(MessageStatus.DEAD);
        }
    }

    @Test
    void broken_json_is_refused_by_the_table_or_is_a_defect() {
        StoredMessage row;
        try {
            row = withHeaders("{\"a\": ");
        } catch (DatabaseException e) {
            assertThat(e.sqlState()).as(e.getMessage()).matches("22.*|23.*");
            assertThat(count("postroom_message")).isZero();
            return;
        }
        assertThat(row.defect()).contains("headers");
        assertThat(row.content().payload()).isEqualTo(HELLO);
    }

    @Test
    void the_view_shows_text_payloads_as_text_and_others_encoded() {
        execute("INSERT INTO postroom_message (topic, payload) VALUES ('text', ?)", (Object) HELLO);
        execute("INSERT INTO postroom_message (topic, payload) VALUES ('binary', ?)", (Object)
                new byte[] {(byte) 0xC3, (byte) 0x28, 0, (byte) 0xFF});
        execute("INSERT INTO postroom_message (topic, payload) VALUES ('empty', ?)", (Object) new byte[0]);
        execute("INSERT INTO postroom_message (topic, payload) VALUES ('zero', ?)", (Object) new byte[] {0});
        assertThat(value("SELECT payload FROM postroom_readable WHERE topic = 'text'"))
                .isEqualTo(new String(HELLO, StandardCharsets.UTF_8));
        assertThat(value("SELECT payload FROM postroom_readable WHERE topic = 'binary'"))
                .matches("base64:wygA/w==|hex:c32800ff");
        assertThat(value("SELECT payload FROM postroom_readable WHERE topic = 'empty'"))
                .isEmpty();
        assertThat(value("SELECT count(payload) FROM postroom_readable")).isEqualTo("4");
    }

    @Test
    void the_view_names_the_status_of_every_message() {
        TestRelay relay = relay("r");
        publish(
                Message.to("dead").key("k"),
                Message.to("scheduled").deliverAfter(Duration.ofHours(1)),
                Message.to("failed"),
                Message.to("pending"),
                Message.to("processed"));
        for (StoredMessage row : reader().readAll()) {
            switch (row.stream().topic()) {
                case "dead" -> relay.bury(row);
                case "failed" -> relay.fail(row, Duration.ofHours(1));
                case "processed" -> relay.succeed(row);
                default -> {}
            }
        }
        publish(Message.to("dead").key("k").type("follower"));
        assertThat(status("topic = 'dead' AND type IS NULL")).isEqualTo("dead");
        assertThat(status("type = 'follower'")).isEqualTo("blocked");
        assertThat(status("topic = 'scheduled'")).isEqualTo("scheduled");
        assertThat(status("topic = 'failed'")).isEqualTo("scheduled");
        assertThat(status("topic = 'pending'")).isEqualTo("pending");
        assertThat(status("topic = 'processed'")).isEqualTo("processed");
    }

    private String status(String where) {
        return String.valueOf(value("SELECT status FROM postroom_readable WHERE " + where));
    }

    private StoredMessage withHeaders(String json) {
        execute("DELETE FROM postroom_message");
        execute("INSERT INTO postroom_message (topic, headers, payload) VALUES ('orders', '" + json + "', ?)", (Object)
                HELLO);
        return only();
    }

    private StoredMessage only() {
        List<StoredMessage> rows = reader().readAll();
        assertThat(rows).hasSize(1);
        return rows.get(0);
    }
}
