package dev.postroom.jdbc.internal.mariadb;

import dev.postroom.DatabaseException;
import dev.postroom.PostroomException;
import dev.postroom.jdbc.internal.GivenIds;
import dev.postroom.jdbc.internal.JdbcLanes;
import dev.postroom.jdbc.internal.Migrations;
import dev.postroom.jdbc.internal.Session;
import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.Timestamps;
import dev.postroom.jdbc.internal.operations.JdbcMaintenance;
import dev.postroom.jdbc.internal.operations.JdbcOperations;
import dev.postroom.jdbc.internal.operations.MariaDbOperationsSql;
import dev.postroom.jdbc.internal.portable.PortableFollowReader;
import dev.postroom.jdbc.internal.portable.PortableSettler;
import dev.postroom.jdbc.internal.portable.PortableWriter;
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
import java.util.List;
import javax.sql.DataSource;

/** An outbox in MariaDB. */
public final class MariaDbStore implements Store {
    /**
     * READ COMMITTED, because REPEATABLE READ, the default, would lock the gaps where producers insert. What was set
     * before is kept in the session and restored. A transaction that stands idle is ended by the server: a relay that was
     * frozen in the middle of one must not keep the others from its lanes. See {@link AutoCommit} for why auto-commit is set.
     */
    private static final Session.Setup RELAY = new Session.Setup(
            List.of(
                    "SET @postroom_isolation = @@SESSION.tx_isolation, @postroom_limit = @@SESSION.max_statement_time,"
                            + " @postroom_idle = @@SESSION.idle_transaction_timeout,"
                            + " @postroom_autocommit = @@SESSION.autocommit",
                    "SET SESSION tx_isolation = 'READ-COMMITTED', SESSION max_statement_time = 30,"
                            + " SESSION idle_transaction_timeout = 5, SESSION autocommit = 1"),
            List.of("SET SESSION tx_isolation = @postroom_isolation, SESSION max_statement_time = @postroom_limit,"
                    + " SESSION idle_transaction_timeout = @postroom_idle, SESSION autocommit = @postroom_autocommit"));

    private final DataSource dataSource;
    private final SqlNames names;
    private final String description;
    private final Session.Setup setup;
    private final MessageWriter writer;
    private final Schema schema;

    public MariaDbStore(DataSource dataSource, SqlNames names, String description) {
        this(dataSource, names, description, RELAY);
    }

    private MariaDbStore(DataSource dataSource, SqlNames names, String description, Session.Setup setup) {
        this.dataSource = dataSource;
        this.names = names;
        this.description = description;
        this.setup = setup;
        this.writer = new GivenIds(new PortableWriter(new MariaDbWriteSql(names), Timestamps.UTC, names), names);
        this.schema = new Migrations(dataSource, names, new MariaDbDialect(names));
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
        return new MariaDbInbox(names);
    }

    @Override
    public Schema schema() {
        return schema;
    }

    @Override
    public OperationsStore operations() {
        return new JdbcOperations(dataSource, names, new MariaDbOperationsSql());
    }

    @Override
    public OperationsStore operations(Duration longestRead) {
        return new JdbcOperations(dataSource, names, new MariaDbOperationsSql(), longestRead);
    }

    @Override
    public Maintenance maintenance() {
        return new JdbcMaintenance(dataSource, names, new MariaDbOperationsSql());
    }

    @Override
    public Store withNetworkTimeout(Duration timeout) {
        return new MariaDbStore(dataSource, names, description, RELAY.withNetworkTimeout(timeout));
    }

    @Override
    public FollowReader openFollowReader(Owing owing) {
        return new PortableFollowReader(
                new Session(dataSource, setup), new MariaDbFollowSql(), Timestamps.UTC, names, owing);
    }

    @Override
    public MessageSettler openSettler() {
        return new PortableSettler(new Session(dataSource, setup), new MariaDbSettleSql(), names);
    }

    @Override
    public LaneStore openLanes() {
        return new JdbcLanes(new Session(dataSource, setup), new MariaDbLaneSql(), Timestamps.UTC, names);
    }

    @Override
    public boolean commitsEachStatement(Connection connection) throws SQLException {
        return AutoCommit.isOn(connection);
    }

    @Override
    public void checkWritable() {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            if (isReadOnly(statement)) {
                throw new PostroomException("this database is read-only (read_only is on, as on a replica): point"
                        + " postroom.database.url at the primary");
            }
            // Inserts nothing, yet needs the right to.
            statement.executeUpdate(names.in("""
                    INSERT INTO postroom_message (topic, payload)
                    SELECT '', '' FROM postroom_schema WHERE version < 0"""));
            AutoCommit.endUnnoticed(connection);
        } catch (SQLException e) {
            throw new DatabaseException(
                    "cannot write messages: " + e.getMessage()
                            + ". Check that the schema is migrated and that this user has the rights that"
                            + " 'migrate --print' lists",
                    e);
        }
    }

    private static boolean isReadOnly(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT @@GLOBAL.read_only OR @@GLOBAL.innodb_read_only")) {
            return row.next() && row.getBoolean(1);
        }
    }
}
