package dev.postroom.server.doctor;

import dev.postroom.DatabaseException;
import dev.postroom.operations.StorageFacts;
import dev.postroom.server.text.DurationText;
import dev.postroom.spi.TableNames;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** What only the database itself can tell: its clock, what keeps it from cleaning up or from being written to, and rows that nobody reads. */
final class DatabaseProbe {
    private static final Duration CLOCKS_APART = Duration.ofSeconds(2);
    private static final Duration LONG_TRANSACTION = Duration.ofMinutes(10);
    private static final long MANY_DEAD_ROWS = 1_000_000;

    private final DataSource dataSource;
    private final String prefix;

    DatabaseProbe(DataSource dataSource, TableNames names) {
        this.dataSource = dataSource;
        // Both parts are strict identifiers, checked when the names were made.
        this.prefix = (names.schema() == null ? "" : names.schema() + ".") + names.prefix();
    }

    @FunctionalInterface
    private interface Question<T> {
        T ask(Connection connection) throws SQLException;
    }

    /** The database's clock. */
    Instant now() {
        return ask(DatabaseProbe::now);
    }

    /** How far the two clocks are apart, taking half of the round trip for the way. */
    List<Finding> clock(InstantSource clock) {
        return ask(connection -> {
            now(connection);
            Instant before = clock.instant();
            Instant database = now(connection);
            Instant after = clock.instant();
            Instant here = before.plus(Duration.between(before, after).dividedBy(2));
            Duration apart = Duration.between(here, database);
            boolean close = apart.abs().compareTo(CLOCKS_APART) <= 0;
            String says = "the database is " + DurationText.of(apart.abs())
                    + (apart.isNegative() ? " behind" : " ahead of") + " this machine";
            return List.of(
                    close
                            ? Finding.ok("clock", says)
                            : Finding.warning(
                                    "clock",
                                    says,
                                    "set both with NTP; leases are safe, they follow the database alone"));
        });
    }

    /** Empty where the database needs no such care. */
    List<Finding> upkeep(StorageFacts storage) {
        return ask(connection -> {
            List<Finding> findings = new ArrayList<>();
            if (isPostgres(connection)) {
                findings.add(oldestTransaction(connection, storage));
                findings.add(deadRows(connection));
                findings.add(defaultPartition(connection));
            } else if (isMariaDb(connection)) {
                findings.add(binaryLog(connection));
            }
            unreadable(connection).ifPresent(findings::add);
            return findings;
        });
    }

    private static Finding oldestTransaction(Connection connection, StorageFacts storage) throws SQLException {
        Double seconds = storage.oldestTransactionSeconds();
        Duration age = Duration.ofSeconds(seconds == null ? 0 : seconds.longValue());
        String open = seconds == null
                ? "none open"
                : "open for " + DurationText.of(age) + " by " + storage.oldestTransaction();
        String says = seesOthers(connection)
                ? open
                : "of other users none can be seen, of this one " + open + ": GRANT pg_read_all_stats to look further";
        return age.compareTo(LONG_TRANSACTION) > 0
                ? Finding.warning(
                        "oldest transaction",
                        says + "; while it is, delivered rows cannot be cleaned up",
                        "end it if it was forgotten: SELECT pg_terminate_backend(the process)")
                : Finding.ok("oldest transaction", says);
    }

    /** To other roles PostgreSQL shows that somebody is there, and not since when. */
    private static boolean seesOthers(Connection connection) throws SQLException {
        return number(connection, "SELECT pg_has_role('pg_read_all_stats', 'USAGE')::integer") > 0;
    }

    private Finding deadRows(Connection connection) throws SQLException {
        long rows = number(
                connection,
                "SELECT coalesce(max(n_dead_tup), 0) FROM pg_stat_all_tables WHERE relid = to_regclass('" + prefix
                        + "message'::text)::oid");
        return rows > MANY_DEAD_ROWS
                ? Finding.warning(
                        "dead rows", rows + " not yet vacuumed", "check that autovacuum runs and gets through")
                : Finding.ok("dead rows", rows + " not yet vacuumed");
    }

    private Finding defaultPartition(Connection connection) throws SQLException {
        boolean used = number(
                        connection,
                        "SELECT count(*) FROM (SELECT 1 FROM " + prefix + "archive_default LIMIT 1) AS first")
                > 0;
        return used
                ? Finding.warning(
                        "archive",
                        "the default partition holds messages: a daily one was missing when they were delivered",
                        "check that a relay runs every day; 'postroom purge' removes them in time")
                : Finding.ok("archive", "daily partitions hold everything");
    }

    /** Relays and operators write at READ COMMITTED. */
    private static Finding binaryLog(Connection connection) throws SQLException {
        boolean refuses = number(connection, "SELECT @@log_bin AND @@binlog_format = 'STATEMENT'") > 0;
        return refuses
                ? Finding.wrong(
                        "binary log",
                        "binlog_format is STATEMENT, with which MariaDB refuses what relays and operators write",
                        "SET GLOBAL binlog_format = 'MIXED', the default, or 'ROW', also in the server's configuration")
                : Finding.ok("binary log", "holds what relays write");
    }

    /** PostgreSQL and H2 refuse such rows; MariaDB allows no CHECK on a column that it numbers. */
    private Optional<Finding> unreadable(Connection connection) throws SQLException {
        if (!isMariaDb(connection)) {
            return Optional.empty();
        }
        boolean any = number(connection, "SELECT EXISTS (SELECT 1 FROM " + prefix + "message WHERE seq <= 0)") > 0;
        return any
                ? Optional.of(Finding.wrong(
                        "numbers",
                        "there are messages whose seq is not above 0, which no relay reads",
                        "insert them again without a seq, which is the database's to fill, and delete these"))
                : Optional.empty();
    }

    private static boolean isMariaDb(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseProductName().equals("MariaDB");
    }

    private static boolean isPostgres(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
    }

    private static Instant now(Connection connection) throws SQLException {
        boolean mariaDb = isMariaDb(connection);
        String sql = mariaDb
                ? "SELECT utc_timestamp(6)"
                : isPostgres(connection) ? "SELECT clock_timestamp()" : "SELECT current_timestamp";
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return mariaDb
                    ? row.getObject(1, LocalDateTime.class).toInstant(ZoneOffset.UTC)
                    : row.getObject(1, OffsetDateTime.class).toInstant();
        }
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private <T> T ask(Question<T> question) {
        try (Connection connection = dataSource.getConnection()) {
            return question.ask(connection);
        } catch (SQLException e) {
            throw new DatabaseException("could not ask the database about itself: " + e.getMessage(), e);
        }
    }
}
