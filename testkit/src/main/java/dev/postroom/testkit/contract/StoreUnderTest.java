package dev.postroom.testkit.contract;

import dev.postroom.DatabaseException;
import dev.postroom.operations.Operations;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.Owing;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/** One outbox's tables in the database under test, and the application's own table {@code postroom_orders} beside them. */
public final class StoreUnderTest implements AutoCloseable {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final Pattern PREFIX = Pattern.compile("\\bpostroom_");

    private final DatabaseUnderTest database;
    private final TableNames names;
    private final Store store;
    private final Outbox outbox;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    /** For what tests do by SQL; opening one for each statement would take most of their time. */
    private final Connection connection;

    private StoreUnderTest(DatabaseUnderTest database, TableNames names, Store store) throws SQLException {
        this.database = database;
        this.connection = database.dataSource().getConnection();
        this.names = names;
        this.store = store;
        this.outbox = Outbox.configure(database.dataSource())
                .tablePrefix(names.prefix())
                .build();
    }

    static StoreUnderTest migrated(DatabaseUnderTest database) {
        TableNames names = new TableNames(null, "c" + NUMBER.incrementAndGet() + "_");
        Store store = Store.open(database.dataSource(), names);
        store.schema().migrate();
        StoreUnderTest result;
        try {
            result = new StoreUnderTest(database, names, store);
        } catch (SQLException e) {
            throw new DatabaseException(String.valueOf(e.getMessage()), e);
        }
        result.execute("CREATE TABLE postroom_orders (id integer PRIMARY KEY, note varchar(100))");
        return result;
    }

    /** Empties the tables, however a test left them. */
    void clear() {
        for (String table : List.of(
                "message",
                "archive",
                "attempt",
                "dedup",
                "node",
                "destination",
                "routing",
                "pause",
                "inbox",
                "audit",
                "orders")) {
            execute("DELETE FROM postroom_" + table);
        }
        execute("UPDATE postroom_lane SET owner = NULL, lease_until = NULL, epoch = 0, reserved_from = 0,"
                + " reserved_to = 0, routing = NULL");
    }

    DatabaseUnderTest database() {
        return database;
    }

    DatabaseUnderTest.Kind kind() {
        return database.kind();
    }

    DataSource dataSource() {
        return database.dataSource();
    }

    TableNames names() {
        return names;
    }

    Store store() {
        return store;
    }

    Outbox outbox() {
        return outbox;
    }

    Outbox.Builder configureOutbox() {
        return Outbox.configure(database.dataSource()).tablePrefix(names.prefix());
    }

    Tx begin() {
        try {
            Connection connection = dataSource().getConnection();
            connection.setAutoCommit(false);
            return closing(new Tx(this, connection));
        } catch (SQLException e) {
            throw new DatabaseException(String.valueOf(e.getMessage()), e);
        }
    }

    ReferenceReader reader() {
        return readerOf(store);
    }

    /** As {@link #reader()}, of somebody else's store. */
    ReferenceReader readerOf(Store other) {
        return new ReferenceReader(closing(other.openFollowReader(Owing.EVERYWHERE)), StoreContract.ALL_LANES);
    }

    FollowReader plainReader() {
        return closing(store.openFollowReader(Owing.EVERYWHERE));
    }

    /** A relay that owns no lanes yet. */
    TestRelay idleRelay(String owner) {
        return new TestRelay(owner, closing(store.openLanes()), closing(store.openSettler()));
    }

    /** A relay that owns all lanes that are free. */
    TestRelay relay(String owner) {
        return idleRelay(owner).acquire(StoreContract.ALL_LANES);
    }

    Operations operator() {
        return Operations.as("operator", store.operations(), store.maintenance());
    }

    /** Closed at the end of the test at the latest, the newest first. */
    synchronized <T extends AutoCloseable> T closing(T resource) {
        open.push(resource);
        return resource;
    }

    @SuppressWarnings(
            "EmptyCatch") // a test may have broken the connection on purpose; what matters was asserted before
    synchronized void closeAll() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                // said above
            }
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    /** Returns once a session waits for a lock; fails if the work ends without having waited. */
    void awaitLockWait(Future<?> work) {
        awaitLockWaits(List.of(work));
    }

    /** Returns once as many sessions wait for locks; fails if some of the work ends without having waited. */
    void awaitLockWaits(List<? extends Future<?>> work) {
        ConditionFactory waiting = Awaitility.await("a session that waits for a lock, for each")
                .atMost(Duration.ofSeconds(20))
                .pollDelay(Duration.ZERO)
                .failFast("it ended without waiting", () -> work.stream().anyMatch(Future::isDone));
        if (kind() == DatabaseUnderTest.Kind.H2) {
            // H2 tries again and again without saying so: a statement that takes this long is one that waits.
            waiting.during(Duration.ofMillis(200)).until(() -> Background.insideH2() >= work.size());
        } else {
            // MariaDB's list of transactions is not renewed when it was read less than 100 ms ago.
            waiting.pollInterval(Duration.ofMillis(150))
                    .until(() -> Long.parseLong(String.valueOf(value(kind().lockWaits()))) >= work.size());
        }
    }

    /** What is no object of strings, as an UPDATE may write it: H2 checks these too, and takes only what is not even JSON. */
    String brokenHeaders(String json) {
        return kind() == DatabaseUnderTest.Kind.H2 ? "{a: " + json.replaceAll("[^a-z0-9]", "") + "}" : json;
    }

    /** SQL written with the default names, for this store's tables. */
    String sql(String sql) {
        return PREFIX.matcher(sql).replaceAll(Matcher.quoteReplacement(names.prefix()));
    }

    int execute(String sql, @Nullable Object... parameters) {
        return Sql.update(connection, sql(sql), parameters);
    }

    @Nullable
    String value(String sql, @Nullable Object... parameters) {
        return Sql.value(connection, sql(sql), parameters);
    }

    long count(String table) {
        return Long.parseLong(String.valueOf(value("SELECT count(*) FROM " + table)));
    }
}
