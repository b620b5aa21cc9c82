package dev.postroom.jdbc.internal;

import dev.postroom.DatabaseException;
import dev.postroom.SchemaException;
import dev.postroom.spi.Schema;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Brings the tables up to date from numbered scripts. What differs between databases (how to lock, where the version
 * stands) is in a {@link Dialect}.
 */
public final class Migrations implements Schema {
    private final DataSource dataSource;
    private final SqlNames names;
    private final Dialect dialect;
    private final Scripts scripts;

    public Migrations(DataSource dataSource, SqlNames names, Dialect dialect) {
        this(dataSource, names, dialect, Scripts.bundled(dialect.folder()));
    }

    private Migrations(DataSource dataSource, SqlNames names, Dialect dialect, Scripts scripts) {
        this.dataSource = dataSource;
        this.names = names;
        this.dialect = dialect;
        this.scripts = scripts;
    }

    /** As the next version of this code will see the tables: with one script more. */
    Migrations followedBy(String name, String script) {
        return new Migrations(dataSource, names, dialect, scripts.followedBy(name, script));
    }

    /** What a database does its own way. */
    public interface Dialect {
        /** The folder of the scripts, beside {@code internal}. */
        String folder();

        /** Waits for other nodes' migrations and makes the configured schema, which must exist, the session's. */
        void lock(Connection connection) throws SQLException;

        /** Undoes {@link #lock}; called in any case, on a connection that may be broken. */
        void unlock(Connection connection) throws SQLException;

        /** The version found, 0 without a version table. */
        int version(Connection connection) throws SQLException;

        /** Remembers that a version was applied. */
        void record(Connection connection, int version, String script) throws SQLException;

        /** Whether a script that fails leaves nothing behind; if not, each of its statements may be run again. */
        boolean undoesFailedScripts();

        /** Whether the lanes of stored messages are none that this server computes. */
        default boolean hasForeignLanes(Connection connection) throws SQLException {
            return false;
        }

        /** Computes the lanes of all stored messages again. */
        default void computeLanes(Connection connection) throws SQLException {}

        /** As {@link Schema#otherCreators()} has it. */
        default List<String> otherCreators(Connection connection) throws SQLException {
            return List.of();
        }

        /** Statements that come before a printed script, such as choosing the schema. */
        String printedBefore();

        /** GRANT statements for a role. */
        String grants(String role, String grantee);
    }

    @Override
    public int target() {
        return scripts.latest();
    }

    @Override
    public int current() {
        try (Connection connection = dataSource.getConnection()) {
            return dialect.version(connection);
        } catch (SQLException e) {
            throw new DatabaseException("could not read the schema's version: " + e.getMessage(), e);
        }
    }

    @Override
    public List<Integer> migrate() {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            List<Integer> applied;
            try {
                dialect.lock(connection);
                applied = applyMissing(connection);
                connection.commit();
            } catch (SQLException | RuntimeException e) {
                cleanUpAfter(
                        e,
                        connection::rollback,
                        () -> dialect.unlock(connection),
                        () -> connection.setAutoCommit(true));
                throw e;
            }
            dialect.unlock(connection);
            connection.setAutoCommit(true);
            return applied;
        } catch (SQLException e) {
            throw new DatabaseException(
                    "could not migrate the schema, "
                            + (dialect.undoesFailedScripts()
                                    ? "nothing was changed: "
                                    : "what was done so far stays, and the next run goes on from there: ")
                            + e.getMessage()
                            + ". Run it as a role that may create tables, or give the output of 'migrate --print' to"
                            + " your DBA",
                    e);
        }
    }

    private interface Step {
        void run() throws SQLException;
    }

    /** The connection may be broken: what fails now must neither hide why nor keep the lock. */
    private static void cleanUpAfter(Exception failure, Step... steps) {
        for (Step step : steps) {
            try {
                step.run();
            } catch (SQLException e) {
                failure.addSuppressed(e);
            }
        }
    }

    private List<Integer> applyMissing(Connection connection) throws SQLException {
        int found = dialect.version(connection);
        refuseFuture(found);
        List<Integer> applied = new ArrayList<>();
        for (int version = found + 1; version <= target(); version++) {
            try (Statement statement = connection.createStatement()) {
                for (String sql : statements(names.inMigration(scripts.text(version)))) {
                    statement.execute(sql);
                }
            }
            dialect.record(connection, version, scripts.name(version));
            applied.add(version);
        }
        if (dialect.hasForeignLanes(connection)) {
            dialect.computeLanes(connection);
        }
        return applied;
    }

    /**
     * Splits a script at lines that end with a semicolon, leaving the bodies of functions whole: PostgreSQL quotes them,
     * MariaDB's client is told another DELIMITER meanwhile.
     */
    static List<String> statements(String script) {
        List<String> statements = new ArrayList<>();
        StringBuilder statement = new StringBuilder();
        String delimiter = ";";
        boolean inBody = false;
        for (String line : (Iterable<String>) script.lines()::iterator) {
            if (statement.isEmpty() && (line.isBlank() || line.startsWith("--"))) {
                continue;
            }
            if (statement.isEmpty() && line.startsWith("DELIMITER ")) {
                delimiter = line.substring("DELIMITER ".length()).strip();
                continue;
            }
            statement.append(line).append('\n');
            if (occurrences(line, "$body$") % 2 == 1) {
                inBody = !inBody;
            }
            if (!inBody && line.stripTrailing().endsWith(delimiter)) {
                String text = statement.toString().strip();
                statements.add(text.substring(0, text.length() - delimiter.length()));
                statement.setLength(0);
            }
        }
        if (!statement.isEmpty()) {
            throw new IllegalStateException("a migration does not end with a semicolon: " + statement);
        }
        return statements;
    }

    private static int occurrences(String line, String what) {
        return (line.length() - line.replace(what, "").length()) / what.length();
    }

    @Override
    public String script(int from) {
        refuseFuture(from);
        StringBuilder text = new StringBuilder(dialect.printedBefore());
        for (int version = from + 1; version <= target(); version++) {
            text.append(names.inMigration(scripts.text(version))).append('\n');
            text.append(names.inMigration("INSERT INTO postroom_schema (version, script) VALUES (" + version + ", '"
                    + scripts.name(version) + "');\n"));
        }
        return text.toString();
    }

    @Override
    public String grants(String role, String grantee) {
        if (Stream.of("writer", "consumer", "relay", "migrator").noneMatch(role::equals)) {
            throw new SchemaException(
                    "there are no grants for the role '" + role + "': use writer, consumer, relay or migrator");
        }
        return dialect.grants(role, grantee);
    }

    @Override
    public List<String> otherCreators() {
        try (Connection connection = dataSource.getConnection()) {
            return dialect.otherCreators(connection);
        } catch (SQLException e) {
            throw new DatabaseException("could not ask who may create in the schema: " + e.getMessage(), e);
        }
    }

    @Override
    public void checkLanes() {
        try (Connection connection = dataSource.getConnection()) {
            if (dialect.hasForeignLanes(connection)) {
                throw new SchemaException(
                        "this server computes other lanes than the one that the messages were written on, as after"
                                + " a restore on another platform or into another encoding: run './postroom migrate', which computes all"
                                + " lanes again, before a relay starts");
            }
        } catch (SQLException e) {
            throw new DatabaseException("could not check how lanes are computed: " + e.getMessage(), e);
        }
    }

    @Override
    public void check() {
        int found = current();
        refuseFuture(found);
        if (found == 0) {
            throw new SchemaException("there are no Postroom tables " + where()
                    + ": run './postroom migrate', or 'migrate --print' and have your DBA run its output");
        }
        if (found < oldestUsable()) {
            throw new SchemaException("the Postroom tables " + where() + " are of version " + found
                    + ", this code needs at least " + oldestUsable() + ": run './postroom migrate'");
        }
    }

    /** Code of version N works with the tables of N and N−1, so that a rolling deployment can migrate first or last. */
    private int oldestUsable() {
        return Math.max(1, target() - 1);
    }

    private void refuseFuture(int found) {
        if (found > target() + 1) {
            throw new SchemaException("the Postroom tables " + where() + " are of version " + found
                    + ", newer than this code understands (" + target() + "): use a newer Postroom");
        }
    }

    private String where() {
        String schema = names.names().schema();
        return (schema == null ? "in the connection's schema" : "in schema " + schema) + " with prefix "
                + names.names().prefix();
    }
}
