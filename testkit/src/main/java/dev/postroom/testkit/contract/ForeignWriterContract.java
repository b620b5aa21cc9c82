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
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Another language writes with plain SQL, and reads the view. */
@Tag("R13")
public abstract class ForeignWriterContract extends StoreContract {
    private static final List<String> NO_OBJECTS_OF_STRINGS = List.of(
            "{\"a\": {\"b\": 1}}",
            "{\"a\": {}}",
            "{\"a\": []}",
            "[1]",
            "[]",
            "\"text\"",
            "17",
            "true",
            "{\"a\": [\"b\"]}");

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
    void several_rows_are_copied_from_a_table_by_one_statement() {
        for (int i = 0; i < 3; i++) {
            execute("INSERT INTO postroom_message (topic, payload) VALUES ('orders.created', ?)", (Object) HELLO);
        }
        execute("INSERT INTO postroom_message (topic, ordering_key, payload, attempts)"
                + " SELECT topic, 'copy', payload, attempts FROM postroom_message");
        assertThat(value(
                        "SELECT count(*) FROM postroom_message WHERE topic = 'orders.created' AND ordering_key = 'copy'"
                                + " AND tenant = '' AND lane >= 0"))
                .isEqualTo("3");
        assertThat(value("SELECT count(DISTINCT id) FROM postroom_message")).isEqualTo("6");
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
    void null_in_an_optional_column_is_its_default() {
        for (int i = 0; i < 2; i++) {
            execute(
                    "INSERT INTO postroom_message (id, tenant, topic, ordering_key, type, content_type, headers, payload,"
                            + " available_at, source) VALUES (NULL, NULL, 'orders', NULL, NULL, NULL, NULL, ?, NULL, NULL)",
                    (Object) HELLO);
        }
        List<StoredMessage> rows = reader().readAll();
        assertThat(rows).hasSize(2).allSatisfy(row -> {
            assertThat(row.stream()).isEqualTo(new Stream("", "orders", null));
            assertThat(row.content().contentType()).isEqualTo("application/json");
            assertThat(row.content().headers()).isEmpty();
            assertThat(row.defect()).isNull();
        });
        assertThat(ids(rows)).doesNotHaveDuplicates();
        assertThat(relay("r").succeed(rows.get(0)).left()).isEqualTo(1);
    }

    @Test
    void a_column_that_must_be_given_is_named_when_it_is_null() {
        for (String column : List.of("topic", "payload")) {
            assertThatThrownBy(() -> execute(
                            "INSERT INTO postroom_message (topic, ordering_key, payload) VALUES (?, 'k', ?)",
                            column.equals("topic") ? null : "orders",
                            column.equals("payload") ? null : HELLO))
                    .hasMessageContaining(column)
                    .message()
                    .doesNotContainIgnoringCase("\"lane\"", "column lane", "'lane'");
        }
    }

    @Test
    @Tag("R22")
    void whoever_writes_a_stream_writes_it_into_one_lane() {
        for (String tenant : List.of("", "acme")) {
            execute("DELETE FROM postroom_message");
            int lane = publish(Message.to("orders").tenant(tenant).key("k")).lane();
            execute(
                    "INSERT INTO postroom_message (tenant, topic, ordering_key, payload) VALUES (?, 'orders', 'k', ?)",
                    tenant,
                    HELLO);
            for (int wrong = -1; wrong < 66; wrong++) {
                insertWithLane(tenant, wrong);
            }
            assertThat(lanes()).as(tenant).containsOnly(lane);
        }
    }

    /** PostgreSQL puts it right; MariaDB and H2, where the column is generated, refuse the row. */
    private void insertWithLane(String tenant, int lane) {
        try {
            execute(
                    "INSERT INTO postroom_message (tenant, topic, ordering_key, payload, lane)"
                            + " VALUES (?, 'orders', 'k', ?, " + lane + ")",
                    tenant,
                    HELLO);
        } catch (DatabaseException e) {
            assertThat(e.getMessage()).containsIgnoringCase("lane");
        }
    }

    @Test
    @Tag("R22")
    void a_row_that_is_given_another_key_changes_its_lane() {
        int expected = publish(Message.to("orders").tenant("acme").key("right")).lane();
        for (int i = 0; i < 20; i++) {
            publish(Message.to("orders").key("wrong" + i));
        }
        execute("UPDATE postroom_message SET tenant = 'acme', ordering_key = 'right', attempts = 1");
        assertThat(lanes()).containsOnly(expected);
    }

    private List<Integer> lanes() {
        return reader().readAll().stream().map(row -> row.key().lane()).toList();
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
        for (String id : List.of("z".repeat(36), "0".repeat(36), "00000000-0000-0000-0000-00000000000g", "1-1-1-1-1")) {
            assertThatThrownBy(() -> execute(
                            "INSERT INTO postroom_message (id, topic, payload) VALUES ('" + id + "', 'orders', ?)",
                            (Object) HELLO))
                    .as(id)
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
    void json_null_in_place_of_headers_is_none() {
        StoredMessage row = withHeaders("null");
        assertThat(row.content().headers()).isEmpty();
        assertThat(row.defect()).isNull();
    }

    @Test
    void brackets_in_the_text_of_headers_are_taken() {
        assertThat(withHeaders(" {\"a\": \"{[\\\"]}[{\\\\\", \"[{\": \"}]\", \"c\": \"\"} ")
                        .content()
                        .headers())
                .isEqualTo(Map.of("a", "{[\"]}[{\\", "[{", "}]", "c", ""));
        assertThat(withHeaders("{\"a\": \"" + "\\\"[".repeat(100_000) + "\"}").defect())
                .isNull();
    }

    @Test
    @Tag("R25")
    void headers_that_are_no_object_of_strings_are_refused_with_what_to_write() {
        for (String broken : NO_OBJECTS_OF_STRINGS) {
            assertThatThrownBy(() -> withHeaders(broken))
                    .as(broken)
                    .isInstanceOfSatisfying(
                            DatabaseException.class,
                            e -> assertThat(e.sqlState()).startsWith("23"))
                    .message()
                    .matches("(?is).*headers.must.be.a.json.object.of.strings.*");
            assertThat(count("postroom_message")).isZero();
        }
    }

    @Test
    @Tag("R25")
    void headers_that_were_broken_later_are_a_defect_that_can_be_dead_lettered() {
        TestRelay relay = relay("r");
        for (String broken : NO_OBJECTS_OF_STRINGS) {
            execute("DELETE FROM postroom_message");
            execute("INSERT INTO postroom_message (topic, payload) VALUES ('orders', ?)", (Object) HELLO);
            execute("UPDATE postroom_message SET headers = '" + store.brokenHeaders(broken) + "'");
            StoredMessage row = only();
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
    @Tag("R10")
    @Tag("R60")
    void headers_above_the_readers_limits_are_a_defect_that_names_limit_value_and_setting() {
        RowLimits limits = new RowLimits(1_000, 64, 500);
        assertThat(withHeaders(headers(64, "v"), limits).content().headers()).hasSize(64);
        assertThat(withHeaders(headers(65, "v"), limits).defect()).contains("65", "64", "postroom.limits.headers");
        assertThat(withHeaders(headers(1, "ü".repeat(249)), limits).defect()).isNull();
        assertThat(withHeaders(headers(1, "ü".repeat(250)), limits).defect())
                .contains("502", "500", "postroom.limits.header-bytes");
    }

    @Test
    @Tag("R10")
    @Tag("R60")
    void headers_far_above_the_limits_are_not_even_loaded() {
        RowLimits limits = new RowLimits(1_000, 64, 500);
        String many = headers(40_000, "v");
        StoredMessage row = withHeaders(many, limits);
        assertThat(row.defect())
                .contains(
                        many.length() + " bytes",
                        "postroom.limits.header-bytes (is 500)",
                        "postroom.limits.headers (is 64)");
        assertThat(reader().fetch(List.of(row.key()), limits))
                .extracting(StoredMessage::defect)
                .containsExactly(row.defect());
        execute("UPDATE postroom_message SET available_at = created_at");
        assertThat(new DueReader(store).limits(limits).readAll())
                .extracting(StoredMessage::defect)
                .containsExactly(row.defect());
        assertThat(operator().find(row.key().id()).orElseThrow().headers()).isEmpty();
    }

    @Test
    @Tag("R60")
    void what_no_text_can_carry_is_a_defect_of_the_headers() {
        for (String broken : List.of(
                "{\"a\": \"\\u0000\"}",
                "{\"a\\u0000\": \"b\"}",
                "{\"a\": \"x\\ud800\"}",
                "{\"a\": \"\\udc00\\ud800\"}",
                "{\"a\\ud800\": \"b\"}",
                "{\"a\\u0000\": [1]}")) {
            StoredMessage row;
            try {
                row = withHeaders(broken);
            } catch (DatabaseException e) {
                assertThat(e.sqlState()).as(broken + ": " + e.getMessage()).matches("22.*|23.*");
                continue;
            }
            assertThat(row.defect())
                    .as(broken)
                    .contains("header")
                    .contains("retry")
                    .doesNotContain("\u0000");
            assertThat(operator().find(row.key().id()).orElseThrow().whyNotSent())
                    .isNotEmpty();
        }
        assertThat(withHeaders("{\"a\": \"\\ud83d\\ude80\"}").content().headers())
                .isEqualTo(Map.of("a", "\uD83D\uDE80"));
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
        return withHeaders(json, NO_LIMIT);
    }

    private StoredMessage withHeaders(String json, RowLimits limits) {
        execute("DELETE FROM postroom_message");
        // MariaDB's own literals have escapes of their own.
        String literal = store.kind() == DatabaseUnderTest.Kind.MARIADB ? json.replace("\\", "\\\\") : json;
        execute(
                "INSERT INTO postroom_message (topic, headers, payload) VALUES ('orders', '" + literal + "', ?)",
                (Object) HELLO);
        return only(limits);
    }

    private static String headers(int count, String value) {
        return IntStream.range(0, count)
                .mapToObj(i -> "\"h" + i + "\":\"" + value + "\"")
                .collect(Collectors.joining(",", "{", "}"));
    }

    private StoredMessage only() {
        return only(NO_LIMIT);
    }

    private StoredMessage only(RowLimits limits) {
        List<StoredMessage> rows = reader().limits(limits).readAll();
        assertThat(rows).hasSize(1);
        return rows.get(0);
    }
}
