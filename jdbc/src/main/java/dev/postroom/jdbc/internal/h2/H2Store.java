package dev.postroom.jdbc.internal.h2;

import dev.postroom.DatabaseException;
import dev.postroom.PostroomException;
import dev.postroom.jdbc.internal.GivenIds;
import dev.postroom.jdbc.internal.JdbcLanes;
import dev.postroom.jdbc.internal.Migrations;
import dev.postroom.jdbc.internal.Session;
import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.Timestamps;
import dev.postroom.jdbc.internal.operations.H2OperationsSql;
import dev.postroom.jdbc.internal.operations.JdbcMaintenance;
import dev.postroom.jdbc.internal.operations.JdbcOperations;
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

/** An outbox in H2. */
public final class H2Store implements Store {
    /** What was set before is kept in the session and restored. */
    private static final Session.Setup RELAY = new Session.Setup(
            List.of("SET @postroom_lock_timeout = LOCK_TIMEOUT()", "SET LOCK_TIMEOUT 10000"),
            List.of("SET LOCK_TIMEOUT @postroom_lock_timeout"));

    private final DataSource dataSource;
    private final SqlNames names;
    private final String description;
    private final Session.Setup setup;
    private final MessageWriter writer;
    private final Schema schema;

    public H2Store(DataSource dataSource, SqlNames names, String description) {
        this(dataSource, names, description, RELAY);
    }

    private H2Store(DataSource dataSource, SqlNames names, String description, Session.Setup setup) {
        this.dataSource = dataSource;
        this.names = names;
        this.description = description;
        this.setup = setup;
        this.writer = new GivenIds(new PortableWriter(new H2WriteSql(names), Timestamps.WITH_ANY_YEAR, names), names);
        this.schema = new Migrations(dataSource, names, new H2Dialect(dataSource, names));
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
        return new H2Inbox(names);
    }

    @Override
    public Schema schema() {
        return schema;
    }

    @Override
    public OperationsStore operations() {
        return new JdbcOperations(dataSource, names, new H2OperationsSql());
    }

    @Override
    public OperationsStore operations(Duration longestRead) {
        return new JdbcOperations(dataSource, names, new H2OperationsSql(), longestRead);
    }

    @Override
    public Maintenance maintenance() {
        return new JdbcMaintenance(dataSource, names, new H2OperationsSql());
    }

    @Override
    public Store withNetworkTimeout(Duration timeout) {
        return new H2Store(dataSource, names, description, RELAY.withNetworkTimeout(timeout));
    }

    @Override
    public FollowReader openFollowReader(Owing owing) {
        return new PortableFollowReader(
                new Session(dataSource, setup), new H2FollowSql(), Timestamps.WITH_ANY_YEAR, names, owing);
    }

    @Override
    public MessageSettler openSettler() {
        return new PortableSettler(new Session(dataSource, setup), new H2SettleSql(), names);
    }

    @Override
    public LaneStore openLanes() {
        return new JdbcLanes(new Session(dataSource, setup), new H2LaneSql(), Timestamps.WITH_ANY_YEAR, names);
    }

    @Override
    public void checkWritable() {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            if (isReadOnly(statement)) {
                throw new PostroomException(
                        "this database is read-only: open it without ACCESS_MODE_DATA=r, and check that"
                                + " its file may be written");
            }
            // Inserts nothing, yet needs the right to.
            statement.executeUpdate(names.in("""
                    INSERT INTO postroom_message (topic, payload)
                    SELECT '', X'' FROM postroom_schema WHERE version < 0"""));
        } catch (SQLException e) {
            throw new DatabaseException(
                    "cannot write messages: " + e.getMessage()
                            + ". Check that the schema is migrated and that this user has the rights that"
                            + " 'migrate --print' lists",
                    e);
        }
    }

    private static boolean isReadOnly(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("CALL READONLY()")) {
            return row.next() && row.getBoolean(1);
        }
    }
}
