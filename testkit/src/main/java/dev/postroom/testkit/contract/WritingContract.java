package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.Stream;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.sql.Connection;
import java.sql.Savepoint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A message is written in the caller's own transaction, and comes back as it was given. */
public abstract class WritingContract extends StoreContract {
    private static final String UNICODE =
            "Grüße, İıŞş, 日本, \uD83D\uDE80\uD83D\uDC69\u200D\uD83D\uDCBB, \"quoted\", back\\slash, 'x'; --";

    @Test
    @Tag("R1")
    void a_commit_writes_data_and_message() {
        Tx tx = begin().writeData(1);
        Published published = tx.publish(Message.to("orders"));
        tx.commit();

        assertThat(count("postroom_orders")).isEqualTo(1);
        assertThat(ids(reader().readAll())).containsExactly(published.id());
    }

    @Test
    @Tag("R1")
    @Tag("I2")
    void a_rollback_writes_neither() {
        Tx tx = begin().writeData(1);
        tx.publish(Message.to("orders").idempotencyKey("k"));
        tx.rollback();

        assertThat(count("postroom_orders")).isZero();
        assertThat(count("postroom_message")).isZero();
        assertThat(count("postroom_dedup")).isZero();
        assertThat(reader().readAll()).isEmpty();
    }

    @Test
    @Tag("R1")
    @Tag("I2")
    void nothing_is_read_before_the_commit() {
        ReferenceReader reader = reader();
        Tx tx = begin();
        Published published = tx.publish(Message.to("orders"));
        assertThat(reader.read()).isEmpty();

        tx.commit();
        assertThat(ids(reader.readAll())).containsExactly(published.id());
    }

    @Test
    @Tag("R1")
    @Tag("I2")
    void a_rollback_to_a_savepoint_drops_only_what_came_after() {
        Tx tx = begin().writeData(1);
        Published before = tx.publish(Message.to("orders"));
        Savepoint savepoint = tx.savepoint();
        tx.writeData(2).publish(Message.to("orders").idempotencyKey("dropped"));
        tx.rollbackTo(savepoint);
        Published after = tx.publish(Message.to("orders"));
        tx.commit();

        assertThat(ids(reader().readAll())).containsExactlyInAnyOrder(before.id(), after.id());
        assertThat(count("postroom_orders")).isEqualTo(1);
        assertThat(publish(Message.to("orders").idempotencyKey("dropped")).alreadyExisted())
                .isFalse();
    }

    @Test
    @Tag("R22")
    void messages_of_one_call_keep_their_order() {
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < 700; i++) {
            messages.add(Message.to("orders").key("k" + i % 7).header("n", Integer.toString(i)));
        }
        List<Published> published = publish(messages.toArray(Message[]::new));

        assertThat(published).extracting(Published::id).doesNotHaveDuplicates();
        assertThat(published).extracting(Published::seq).doesNotHaveDuplicates().isSorted();
        for (int key = 0; key < 7; key++) {
            String wanted = "k" + key;
            assertThat(reader().readAll())
                    .filteredOn(row -> wanted.equals(row.stream().key()))
                    .extracting(row -> Integer.valueOf(
                            Objects.requireNonNull(row.content().headers().get("n"))))
                    .hasSize(100)
                    .isSorted();
        }
    }

    @Test
    void the_result_names_the_rows_lane_and_seq() {
        List<Published> published = publish(
                Message.to("orders").key("a"),
                Message.to("orders"),
                Message.to("orders").tenant("t").key("b"));
        assertThat(reader().readAll())
                .extracting(row -> new Published(
                        row.key().id(), null, false, row.key().lane(), row.key().seq()))
                .containsExactlyInAnyOrderElementsOf(published);
    }

    @Test
    void writing_nothing_is_fine() {
        try (Tx tx = begin()) {
            assertThat(tx.publish(List.of())).isEmpty();
        }
    }

    @Test
    @Tag("R1")
    @Tag("R9")
    void every_field_comes_back_as_it_was_given() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("z", "first");
        headers.put("a", UNICODE);
        headers.put("empty", "");
        headers.put("I-Ğ", "{\"not\": \"json\"}");
        byte[] payload = bytes(4_000);
        Message message = Message.to("orders." + UNICODE)
                .tenant("tenant " + UNICODE)
                .key("key " + UNICODE)
                .type("type " + UNICODE)
                .source("/Grüße/日本/🚀#İı")
                .headers(headers)
                .bytes("text/x; note=\"Grüße, 日本, 🚀\"", payload);
        StoredMessage row = read(publish(message));

        assertThat(row.stream()).isEqualTo(message.stream());
        assertThat(row.content().type()).isEqualTo(message.type());
        assertThat(row.content().contentType()).isEqualTo("text/x; note=\"Grüße, 日本, 🚀\"");
        assertThat(row.content().contentEncoding()).isNull();
        assertThat(row.content().headers()).containsExactlyEntriesOf(headers);
        assertThat(row.content().source()).isEqualTo(message.source());
        assertThat(row.content().payload()).isEqualTo(payload);
        assertThat(row.defect()).isNull();
        assertThat(row.due()).isNull();
        assertThat(row.progress()).isEqualTo(new StoredMessage.Progress(RowState.READY, 0, 0, 0, false, null, 0));
    }

    @Test
    void what_is_not_given_comes_back_as_absent() {
        StoredMessage row = read(publish(Message.to("orders")));

        assertThat(row.stream()).isEqualTo(new Stream("", "orders", null));
        assertThat(row.content().type()).isNull();
        assertThat(row.content().source()).isNull();
        assertThat(row.content().headers()).isEmpty();
        assertThat(row.content().payload()).isEmpty();
        assertThat(row.content().contentType()).isEqualTo("application/octet-stream");
    }

    @Test
    void an_empty_key_is_a_key() {
        StoredMessage row = read(publish(Message.to("orders").key("")));
        assertThat(row.stream().key()).isEmpty();
        assertThat(row.stream().isOrdered()).isTrue();
    }

    @Test
    void the_longest_names_fit() {
        String rocket = "\uD83D\uDE80";
        Message message = Message.to(rocket.repeat(255))
                .tenant(rocket.repeat(128))
                .key(rocket.repeat(255))
                .type(rocket.repeat(255))
                .source(rocket.repeat(255))
                .idempotencyKey(rocket.repeat(255));
        Published published = publish(message);
        assertThat(read(published).stream()).isEqualTo(message.stream());
        assertThat(publish(message)).isEqualTo(again(published));
    }

    @Test
    void a_payload_of_eight_megabytes_comes_back_whole() {
        byte[] payload = bytes(8 * 1_048_576);
        try (Tx tx = begin()) {
            store.configureOutbox()
                    .limits(dev.postroom.outbox.Limits.DEFAULT.payloadBytes(payload.length))
                    .compressionThreshold(Integer.MAX_VALUE)
                    .build()
                    .publish(tx.connection(), Message.to("big").bytes("application/octet-stream", payload));
            tx.commit();
        }
        assertThat(reader().readAll())
                .singleElement()
                .satisfies(row -> assertThat(row.content().payload()).isEqualTo(payload));
    }

    @Test
    @Tag("R31")
    void times_do_not_depend_on_the_session_time_zone() throws Exception {
        Instant due = Instant.parse("2031-03-30T01:30:00.123456Z");
        Tx elsewhere = begin();
        elsewhere.execute(store.kind().otherTimeZone());
        elsewhere.publish(Message.to("orders").header("from", "elsewhere"));
        Published later = elsewhere.publish(Message.to("later").deliverAt(due));
        elsewhere.publish(Message.to("soon").deliverAfter(Duration.ofHours(2)));
        elsewhere.commit();
        Published here = publish(Message.to("orders").header("from", "here"));

        List<StoredMessage> ready = reader().readAll();
        assertThat(ready).hasSize(2);
        assertThat(Duration.between(ready.get(0).createdAt(), ready.get(1).createdAt())
                        .abs())
                .isLessThan(Duration.ofMinutes(5));
        assertThat(Duration.between(read(here).createdAt(), now()).abs()).isLessThan(Duration.ofMinutes(5));

        DueReader dueReader = new DueReader(store);
        assertThat(dueReader.read()).isEmpty();
        execute("UPDATE postroom_message SET available_at = available_at - interval '2' hour WHERE topic = 'soon'");
        assertThat(dueReader.readAll())
                .singleElement()
                .satisfies(row -> assertThat(
                                Duration.between(row.createdAt(), row.due()).abs())
                        .isLessThan(Duration.ofSeconds(5)));
        assertThat(store.store()
                        .operations()
                        .find(later.id(), 0)
                        .orElseThrow()
                        .item()
                        .availableAt())
                .isEqualTo(due);
    }

    @Test
    void the_callers_session_is_left_as_it_was() throws Exception {
        try (Tx tx = begin()) {
            Connection connection = tx.connection();
            int isolation = connection.getTransactionIsolation();
            String schema = String.valueOf(connection.getSchema());
            tx.publish(List.of(Message.to("orders"), Message.to("orders").idempotencyKey("k")));

            assertThat(connection.getAutoCommit()).isFalse();
            assertThat(connection.getTransactionIsolation()).isEqualTo(isolation);
            assertThat(String.valueOf(connection.getSchema())).isEqualTo(schema);
            assertThat(connection.isReadOnly()).isFalse();
        }
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(42).nextBytes(bytes);
        return bytes;
    }
}
