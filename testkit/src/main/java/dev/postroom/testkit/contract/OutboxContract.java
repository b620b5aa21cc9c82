package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.Message;
import dev.postroom.MessageRejectedException;
import dev.postroom.NoTransactionException;
import dev.postroom.PostroomException;
import dev.postroom.Published;
import dev.postroom.outbox.AmbientTransaction;
import dev.postroom.outbox.CommitHint;
import dev.postroom.outbox.Outbox;
import dev.postroom.outbox.TransactionEnd;
import dev.postroom.spi.PayloadCodec;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.Store;
import dev.postroom.spi.StoredMessage;
import dev.postroom.spi.TableNames;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The outbox as applications use it, over this store. */
public abstract class OutboxContract extends StoreContract {

    @Test
    @Tag("R4")
    void publishing_on_an_auto_commit_connection_is_refused() throws Exception {
        try (Connection connection = store.dataSource().getConnection()) {
            assertThatThrownBy(() -> store.outbox().publish(connection, Message.to("orders")))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("setAutoCommit(false)");
        }
        assertThat(count("postroom_message")).isZero();
    }

    @Test
    @Tag("R4")
    void publishing_without_any_transaction_is_refused() {
        assertThatThrownBy(() -> store.outbox().publish(Message.to("orders")))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining("publishInOwnTransaction");
        assertThat(count("postroom_message")).isZero();
    }

    @Test
    @Tag("R4")
    void publishing_in_a_transaction_of_its_own_commits() {
        Published published = store.outbox().publishInOwnTransaction(Message.to("orders"));
        assertThat(ids(reader().readAll())).containsExactly(published.id());
    }

    @Test
    @Tag("R1")
    void work_that_returns_commits_data_and_messages() {
        Published published = store.outbox().callInTransaction(tx -> {
            Sql.update(tx.connection(), store.sql("INSERT INTO postroom_orders (id) VALUES (7)"));
            return tx.publish(Message.to("orders"));
        });
        assertThat(count("postroom_orders")).isEqualTo(1);
        assertThat(ids(reader().readAll())).containsExactly(published.id());
    }

    @Test
    @Tag("R1")
    @Tag("I2")
    void work_that_throws_rolls_back_and_its_exception_comes_out_as_it_is() {
        IOException mine = new IOException("mine");
        assertThatThrownBy(() -> store.outbox().inTransaction(tx -> {
                    Sql.update(tx.connection(), store.sql("INSERT INTO postroom_orders (id) VALUES (7)"));
                    tx.publish(Message.to("orders"));
                    throw mine;
                }))
                .isSameAs(mine);
        assertThat(count("postroom_orders")).isZero();
        assertThat(count("postroom_message")).isZero();
    }

    @Test
    @Tag("R12")
    void hints_are_given_after_the_commit_and_never_for_what_was_rolled_back() {
        List<CommitHint> hints = new ArrayList<>();
        Outbox outbox = store.configureOutbox().onCommit(hints::add).build();
        Published published = outbox.callInTransaction(tx -> {
            Published first = tx.publish(Message.to("orders").idempotencyKey("k"));
            tx.publish(Message.to("orders").idempotencyKey("k"));
            assertThat(hints).isEmpty();
            return first;
        });
        assertThat(hints).containsExactly(new CommitHint(published.lane(), published.seq()));

        assertThatThrownBy(() -> outbox.inTransaction(tx -> {
                    tx.publish(Message.to("orders"));
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(hints).hasSize(1);

        CommitHint hint = hints.get(0);
        assertThat(reader().readAll())
                .extracting(StoredMessage::key)
                .containsExactly(new RowKey(hint.lane(), hint.seq(), published.id()));
    }

    @Test
    @Tag("R2")
    @Tag("R12")
    void an_ambient_transaction_is_joined() {
        List<CommitHint> hints = new ArrayList<>();
        List<Runnable> afterCommit = new ArrayList<>();
        Tx tx = begin();
        Outbox outbox = store.configureOutbox()
                .onCommit(hints::add)
                .ambientTransaction(new AmbientTransaction() {
                    @Override
                    public @Nullable Connection connection() {
                        return tx.connection();
                    }

                    @Override
                    public void afterCommit(Runnable action) {
                        afterCommit.add(action);
                    }

                    @Override
                    public void atEnd(TransactionEnd end) {}
                })
                .build();
        Published published = outbox.publish(Message.to("orders"));
        assertThat(reader().readAll()).isEmpty();
        tx.commit();
        assertThat(hints).isEmpty();
        afterCommit.forEach(Runnable::run);

        assertThat(hints).containsExactly(new CommitHint(published.lane(), published.seq()));
        assertThat(ids(reader().readAll())).containsExactly(published.id());
    }

    @Test
    @Tag("R11")
    void a_large_payload_is_compressed_and_says_so() throws Exception {
        byte[] text = "all work and no play ".repeat(5_000).getBytes(StandardCharsets.UTF_8);
        StoredMessage row = read(publish(Message.to("orders").bytes("text/plain", text)));

        assertThat(row.content().contentEncoding()).isEqualTo("gzip");
        assertThat(row.content().contentType()).isEqualTo("text/plain");
        byte[] stored = Objects.requireNonNull(row.content().payload());
        assertThat(stored).hasSizeLessThan(text.length / 10);
        try (GZIPInputStream unzipped = new GZIPInputStream(new ByteArrayInputStream(stored))) {
            assertThat(unzipped.readAllBytes()).isEqualTo(text);
        }
    }

    @Test
    @Tag("R11")
    void what_compression_would_enlarge_or_is_below_the_threshold_stays_as_it_is() {
        byte[] noise = new byte[40_000];
        new Random(1).nextBytes(noise);
        byte[] small = new byte[32_767];
        List<Published> published = publish(
                Message.to("orders").key("k").bytes("x/y", noise),
                Message.to("orders").key("k").bytes("x/y", small));
        assertThat(published).hasSize(2);
        assertThat(reader().readAll())
                .allSatisfy(row -> assertThat(row.content().contentEncoding()).isNull())
                .extracting(row -> row.content().payload())
                .containsExactly(noise, small);
    }

    @Test
    @Tag("R11")
    void compression_begins_at_the_threshold_that_was_set() {
        Outbox outbox = store.configureOutbox().compressionThreshold(1_000).build();
        assertThat(read(outbox.publishInOwnTransaction(Message.to("orders").bytes("x/y", new byte[1_000])))
                        .content()
                        .contentEncoding())
                .isEqualTo("gzip");
        assertThat(read(outbox.publishInOwnTransaction(Message.to("orders").bytes("x/y", new byte[999])))
                        .content()
                        .contentEncoding())
                .isNull();
    }

    @Test
    void the_outboxs_source_is_that_of_messages_without_their_own() {
        Outbox outbox = store.configureOutbox().source("/shop").build();
        assertThat(read(outbox.publishInOwnTransaction(Message.to("orders")))
                        .content()
                        .source())
                .isEqualTo("/shop");
        assertThat(read(outbox.publishInOwnTransaction(Message.to("orders").source("/till")))
                        .content()
                        .source())
                .isEqualTo("/till");
    }

    @Test
    @Tag("R5")
    void idempotency_keys_are_remembered_for_the_window_that_was_set() {
        Outbox outbox = store.configureOutbox().dedupWindow(Duration.ofHours(2)).build();
        outbox.publishInOwnTransaction(Message.to("orders").idempotencyKey("k"));
        execute("UPDATE postroom_dedup SET expires_at = expires_at - interval '119' minute");
        assertThat(store.store().maintenance().purgeDedup(10)).isZero();
        execute("UPDATE postroom_dedup SET expires_at = expires_at - interval '2' minute");
        assertThat(store.store().maintenance().purgeDedup(10)).isEqualTo(1);
    }

    @Test
    @Tag("R9")
    void the_codec_given_encodes_objects() {
        Outbox outbox = store.configureOutbox().codec(new UpperCase()).build();
        Published published =
                outbox.publishInOwnTransaction(Message.to("orders").json("abc"));
        StoredMessage row = read(published);
        assertThat(row.content().contentType()).isEqualTo("text/upper");
        assertThat(row.content().payload()).isEqualTo("ABC".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @Tag("R9")
    void an_object_that_cannot_be_encoded_leaves_the_transaction_usable() {
        Outbox outbox = store.configureOutbox().codec(new UpperCase()).build();
        Tx tx = begin().writeData(1);
        assertThatThrownBy(() ->
                        outbox.publish(tx.connection(), Message.to("orders").json(42)))
                .isInstanceOf(MessageRejectedException.class)
                .hasCauseInstanceOf(ClassCastException.class);
        Published published =
                outbox.publish(tx.connection(), Message.to("orders").json("x"));
        tx.commit();
        assertThat(ids(reader().readAll())).containsExactly(published.id());
    }

    @Test
    @Tag("R14")
    void outboxes_with_other_prefixes_stand_side_by_side() {
        TableNames otherNames = new TableNames(null, store.names().prefix() + "other_");
        Store other = Store.open(store.dataSource(), otherNames);
        other.schema().migrate();
        Outbox otherOutbox = Outbox.configure(store.dataSource())
                .tablePrefix(otherNames.prefix())
                .build();

        Published mine = publish(Message.to("mine").idempotencyKey("k"));
        Published theirs =
                otherOutbox.publishInOwnTransaction(Message.to("theirs").idempotencyKey("k"));

        assertThat(theirs.alreadyExisted()).isFalse();
        assertThat(ids(reader().readAll())).containsExactly(mine.id());
        ReferenceReader otherReader = store.readerOf(other);
        assertThat(ids(otherReader.readAll())).containsExactly(theirs.id());
    }

    @Test
    @Tag("R14")
    void an_outbox_in_another_schema_is_used_from_a_session_in_this_one() {
        String schema = freshSchema();
        Store other = Store.open(store.dataSource(), new TableNames(schema, "outbox_"));
        assertThatThrownBy(() -> other.schema().check()).isInstanceOf(PostroomException.class);
        other.schema().migrate();
        Outbox outbox = Outbox.configure(store.dataSource())
                .schema(schema)
                .tablePrefix("outbox_")
                .build();

        Tx tx = begin().writeData(1);
        Published published =
                outbox.publish(tx.connection(), Message.to("there").key("k").idempotencyKey("i"));
        Published again =
                outbox.publish(tx.connection(), Message.to("there").key("k").idempotencyKey("i"));
        tx.commit();

        assertThat(again.id()).isEqualTo(published.id());
        TestRelay relay = new TestRelay("r", store.closing(other.openLanes()), store.closing(other.openSettler()))
                .acquire(ALL_LANES);
        List<StoredMessage> rows = store.readerOf(other).readAll();
        assertThat(ids(rows)).containsExactly(published.id());
        assertThat(relay.succeed(rows.get(0)).left()).isEqualTo(1);
        assertThat(count("postroom_message")).isZero();
        assertThat(value("SELECT count(*) FROM " + schema + ".outbox_archive")).isEqualTo("1");
    }

    @Test
    @Tag("R14")
    void hostile_names_are_refused_when_they_are_given() {
        for (String hostile :
                List.of("", "x; DROP TABLE y", "a\"b", "a`b", "A", "ı", "1a", "a b", "a-b", "a".repeat(64))) {
            assertThatThrownBy(() -> Outbox.configure(store.dataSource()).schema(hostile))
                    .isInstanceOf(PostroomException.class)
                    .hasMessageContaining("postroom.database.schema");
            assertThatThrownBy(() -> Outbox.configure(store.dataSource()).tablePrefix(hostile))
                    .isInstanceOf(PostroomException.class)
                    .hasMessageContaining("postroom.database.table-prefix");
        }
    }

    private static final class UpperCase implements PayloadCodec {
        @Override
        public String contentType() {
            return "text/upper";
        }

        @Override
        public byte[] encode(Object value) {
            return ((String) value).toUpperCase(java.util.Locale.ROOT).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public <T> T decode(byte[] payload, Class<T> type) {
            return type.cast(new String(payload, StandardCharsets.UTF_8));
        }
    }
}
