package dev.postroom.jdbc.internal.postgresql;

import dev.postroom.DatabaseException;
import dev.postroom.PostroomException;
import dev.postroom.jdbc.internal.GivenIds;
import dev.postroom.jdbc.internal.JdbcLanes;
import dev.postroom.jdbc.internal.Migrations;
import dev.postroom.jdbc.internal.PostgresPooler;
import dev.postroom.jdbc.internal.PostgresSettings;
import dev.postroom.jdbc.internal.Session;
import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.Timestamps;
import dev.postroom.jdbc.internal.operations.JdbcMaintenance;
import dev.postroom.jdbc.internal.operations.JdbcOperations;
import dev.postroom.jdbc.internal.operations.PostgresOperationsSql;
import dev.postroom.operations.Maintenance;
import dev.postroom.operations.OperationsStore;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.InboxStore;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.MessageWriter;
import dev.postroom.spi.Owing;
import dev.postroom.spi.Schema;
import dev.postroom.spi.Store;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** An outbox in PostgreSQL. */
public final class PostgresStore implements Store {
    /**
     * Planning a read takes longer than making it, and a message that waits for it arrives that much later; so reads are
     * planned once for all parameters. Such a plan may have been made while the table was empty; but every read has its
     * index, and with scans of whole tables switched off there is only one way to go, whatever the statistics say.
     */
    private static final Session.Setup READING = relay("force_generic_plan");

    /** Nobody waits for these, and how many rows a batch has decides about the best way to join them. */
    private static final Session.Setup WRITING = relay("force_custom_plan");

    /**
     * A transaction that stands idle is ended by the server: a relay that was frozen in the middle of one must not keep the
     * others from its lanes.
     */
    private static Session.Setup relay(String planning) {
        return PostgresSettings.of(
                "plan_cache_mode = " + planning,
                "enable_seqscan = off",
                "statement_timeout = '30s'",
                "idle_in_transaction_session_timeout = '5s'");
    }

    /** What PgBouncer says to a transaction when it pools statements. */
    private static final String PROTOCOL_VIOLATION = "08P01";

    private final DataSource dataSource;
    private final SqlNames names;
    private final String description;
    private final @Nullable PostgresPooler pooler;
    private final Session.Setup reading;
    private final Session.Setup writing;
    private final MessageWriter writer;
    private final Schema schema;

    /**
     * A store whose tables may not be there yet.
     *
     * @param pooler that stands before the server, if any does
     */
    public PostgresStore(DataSource dataSource, SqlNames names, String description, @Nullable PostgresPooler pooler) {
        this.dataSource = dataSource;
        this.names = names;
        this.description = pooler != null && pooler.seen() ? description + " behind a pooler" : description;
        this.pooler = pooler;
        this.reading = READING;
        this.writing = WRITING;
        this.writer = new GivenIds(new PostgresWriter(names), names);
        this.schema = new Migrations(dataSource, names, new PostgresDialect(names, pooler));
    }

    private PostgresStore(PostgresStore other, Duration networkTimeout) {
        this.dataSource = other.dataSource;
        this.names = other.names;
        this.description = other.description;
        this.pooler = other.pooler;
        this.reading = READING.withNetworkTimeout(networkTimeout);
        this.writing = WRITING.withNetworkTimeout(networkTimeout);
        this.writer = other.writer;
        this.schema = other.schema;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public MessageWriter writer() {
        return writer;
    }

    @Override
    public InboxStore inbox() {
        return new PostgresInbox(names);
    }

    @Override
    public void takeOver(Connection connection) throws SQLException {
        if (pooler != null) {
            pooler.takeOver(connection);
        }
    }

    /** No statement does anything in such a transaction, so any shows it. */
    @Override
    public void requireIntact(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1");
        }
    }

    @Override
    public void handBack(Connection connection) throws SQLException {
        if (pooler != null) {
            pooler.handBack(connection);
        }
    }

    @Override
    public Schema schema() {
        return schema;
    }

    @Override
    public OperationsStore operations() {
        return new JdbcOperations(dataSource, names, new PostgresOperationsSql());
    }

    @Override
    public OperationsStore operations(Duration longestRead) {
        return new JdbcOperations(dataSource, names, new PostgresOperationsSql(), longestRead);
    }

    @Override
    public Maintenance maintenance() {
        return new JdbcMaintenance(dataSource, names, new PostgresOperationsSql());
    }

    @Override
    public Store withNetworkTimeout(Duration timeout) {
        return new PostgresStore(this, timeout);
    }

    @Override
    public FollowReader openFollowReader(Owing owing) {
        return new PostgresFollowReader(new Session(dataSource, reading), names, owing);
    }

    @Override
    public MessageSettler openSettler() {
        return new PostgresSettler(new Session(dataSource, writing), names);
    }

    @Override
    public LaneStore openLanes() {
        return new JdbcLanes(new Session(dataSource, writing), new PostgresLaneSql(), Timestamps.WITH_TIME_ZONE, names);
    }

    @Override
    public void checkWritable() {
        Session session = new Session(dataSource, writing);
        try (session) {
            if (isReadOnly(session)) {
                throw new PostroomException("this database is read-only (a replica, or default_transaction_read_only is"
                        + " on): point postroom.database.url at the primary");
            }
        }
    }

    /** The first transaction: a pooler that allows none shows here. */
    private boolean isReadOnly(Session session) {
        try {
            return session.call("ask whether the database can be written to", PostgresStore::isReadOnly);
        } catch (DatabaseException e) {
            if (pooler != null
                    && PROTOCOL_VIOLATION.equals(e.sqlState())
                    && e.getCause() instanceof SQLException cause) {
                throw new DatabaseException(
                        e.getMessage() + ". The pooler in front of the database must let transactions pass: set its"
                                + " pool_mode to transaction or session",
                        cause);
            }
            throw e;
        }
    }

    private static boolean isReadOnly(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only'::text)::boolean")) {
            return row.next() && row.getBoolean(1);
        }
    }
}
