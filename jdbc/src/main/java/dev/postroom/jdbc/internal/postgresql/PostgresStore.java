package dev.postroom.jdbc.internal.postgresql;

import dev.postroom.PostroomException;
import dev.postroom.jdbc.internal.JdbcLanes;
import dev.postroom.jdbc.internal.Migrations;
import dev.postroom.jdbc.internal.Session;
import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.operations.JdbcMaintenance;
import dev.postroom.jdbc.internal.operations.JdbcOperations;
import dev.postroom.jdbc.internal.operations.PostgresOperationsSql;
import dev.postroom.operations.Maintenance;
import dev.postroom.operations.OperationsStore;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageReader;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.MessageWriter;
import dev.postroom.spi.Schema;
import dev.postroom.spi.Store;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** An outbox in PostgreSQL. */
public final class PostgresStore implements Store {
    /**
     * A plan made once for all parameters may have been made while the table was empty, and then scans a million rows
     * later on; planning anew takes a fraction of a millisecond per batch. Every statement of a relay has its index, so
     * reading a whole table is never right, whatever the statistics say about a table that just grew. A transaction that
     * stands idle is ended by the server: a relay that was frozen in the middle of one must not keep the others from its
     * lanes.
     */
    private static final Session.Setup RELAY = new Session.Setup(
            List.of(
                    "SET plan_cache_mode = force_custom_plan",
                    "SET enable_seqscan = off",
                    "SET statement_timeout = '30s'",
                    "SET idle_in_transaction_session_timeout = '5s'"),
            List.of(
                    "RESET plan_cache_mode",
                    "RESET enable_seqscan",
                    "RESET statement_timeout",
                    "RESET idle_in_transaction_session_timeout"));

    private final DataSource dataSource;
    private final SqlNames names;
    private final String description;
    private final Session.Setup setup;
    private final MessageWriter writer;
    private final Schema schema;

    public PostgresStore(DataSource dataSource, SqlNames names, String description) {
        this(dataSource, names, description, RELAY);
    }

    private PostgresStore(DataSource dataSource, SqlNames names, String description, Session.Setup setup) {
        this.dataSource = dataSource;
        this.names = names;
        this.description = description;
        this.setup = setup;
        this.writer = new PostgresWriter(names);
        this.schema = new Migrations(dataSource, names, new PostgresDialect(names));
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
    public Schema schema() {
        return schema;
    }

    @Override
    public OperationsStore operations() {
        return new JdbcOperations(dataSource, names, new PostgresOperationsSql());
    }

    @Override
    public Maintenance maintenance() {
        return new JdbcMaintenance(dataSource, names, new PostgresOperationsSql());
    }

    @Override
    public Store withNetworkTimeout(Duration timeout) {
        return new PostgresStore(dataSource, names, description, RELAY.withNetworkTimeout(timeout));
    }

    @Override
    public MessageReader openReader() {
        return new PostgresReader(new Session(dataSource, setup), names);
    }

    @Override
    public MessageSettler openSettler() {
        return new PostgresSettler(new Session(dataSource, setup), names);
    }

    @Override
    public LaneStore openLanes() {
        return new JdbcLanes(new Session(dataSource, setup), new PostgresLaneSql(), names);
    }

    @Override
    public void checkWritable() {
        Session session = new Session(dataSource, setup);
        try (session) {
            boolean readOnly = session.call("ask whether the database can be written to", PostgresStore::isReadOnly);
            if (readOnly) {
                throw new PostroomException("this database is read-only (a replica, or default_transaction_read_only is"
                        + " on): point postroom.database.url at the primary");
            }
        }
    }

    private static boolean isReadOnly(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT pg_is_in_recovery()" + " OR current_setting('transaction_read_only')::boolean")) {
            return row.next() && row.getBoolean(1);
        }
    }
}
