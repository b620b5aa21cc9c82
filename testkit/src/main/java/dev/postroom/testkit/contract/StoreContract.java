package dev.postroom.testkit.contract;

import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.operations.Operations;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.StoredMessage;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What all contracts share: empty tables, and short words for what tests do most. */
@ExtendWith(FreshStore.class)
@Timeout(120)
abstract class StoreContract {
    static final RowLimits NO_LIMIT = RowLimits.ofPayload(Integer.MAX_VALUE);
    static final List<Integer> ALL_LANES =
            IntStream.range(0, LaneStore.LANES).boxed().toList();

    StoreUnderTest store;

    @BeforeEach
    void open(StoreUnderTest emptied) {
        store = emptied;
    }

    /** This machine's time, to compare with the database's. */
    static Instant now() {
        return InstantSource.system().instant();
    }

    /** Begins a transaction on a connection of its own. */
    Tx begin() {
        return store.begin();
    }

    /** Writes the messages in one transaction and commits. */
    List<Published> publish(Message... messages) {
        try (Tx tx = begin()) {
            List<Published> published = tx.publish(Arrays.asList(messages));
            tx.commit();
            return published;
        }
    }

    Published publish(Message message) {
        return publish(new Message[] {message}).get(0);
    }

    /** What publishing the same again answers. */
    static Published again(Published first) {
        return Published.existing(first.id(), first.idempotencyKey());
    }

    /** A reader of all lanes that has read nothing yet. */
    ReferenceReader reader() {
        return store.reader();
    }

    /** A relay that owns all lanes. */
    TestRelay relay(String owner) {
        return store.relay(owner);
    }

    /** The row as a reader sees it that has read nothing yet. */
    StoredMessage read(Published published) {
        return reader().readAll().stream()
                .filter(row -> row.key().id().equals(published.id()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(published + " is not read"));
    }

    /** Operations in the name of "operator". */
    Operations operator() {
        return store.operator();
    }

    void execute(String sql, @Nullable Object... parameters) {
        store.execute(sql, parameters);
    }

    /** Another schema; on MariaDB, which has one name space for the whole server, other test JVMs make theirs beside it. */
    String freshSchema() {
        String schema = "elsewhere_" + UUID.randomUUID().toString().replace("-", "");
        execute("CREATE SCHEMA " + schema);
        return schema;
    }

    @Nullable
    String value(String sql, @Nullable Object... parameters) {
        return store.value(sql, parameters);
    }

    long count(String table) {
        return store.count(table);
    }

    static List<UUID> ids(Collection<StoredMessage> rows) {
        return rows.stream().map(row -> row.key().id()).toList();
    }

    static UUID[] idsOf(Collection<Published> published) {
        return published.stream().map(Published::id).toArray(UUID[]::new);
    }
}
