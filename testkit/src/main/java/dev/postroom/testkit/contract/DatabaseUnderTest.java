package dev.postroom.testkit.contract;

import dev.postroom.spi.Schema;
import java.util.List;
import javax.sql.DataSource;

/** A database server that the contracts are run against. */
public interface DatabaseUnderTest {

    Kind kind();

    /** A database that all contracts share, each with its own tables; opens a new connection each time. */
    DataSource dataSource();

    /** An empty database that nobody else uses. */
    FreshDatabase freshDatabase();

    /** The schema as code sees it that is so many versions ahead: with these scripts after those of this version. */
    Schema schemaWith(DataSource dataSource, List<String> scripts);

    /** The same server at a port where nobody listens. */
    DataSource unreachable();

    /** An empty database, to which several users can connect. */
    interface FreshDatabase {
        String name();

        /** As the user who owns it. */
        DataSource owner();

        /** As a user that the test has created. */
        DataSource user(String username, String password);
    }

    /** Says which database the nested contracts are about; implemented by the enclosing test class. */
    interface Given {
        DatabaseUnderTest database();
    }

    /** What tests must say differently to each product. */
    enum Kind {
        POSTGRESQL(
                "SET TIME ZONE 'Pacific/Chatham'",
                "SELECT count(*) FROM pg_locks WHERE NOT granted",
                "SELECT setval('postroom_seq', 1, false)"),
        MARIADB(
                "SET time_zone = '-09:30'",
                "SELECT (SELECT count(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT')"
                        + " + (SELECT count(*) FROM information_schema.processlist WHERE state = 'User lock')",
                "ALTER TABLE postroom_message AUTO_INCREMENT = 1"),
        H2(
                "SET TIME ZONE 'Pacific/Chatham'",
                // H2 tries again and again instead of waiting, and does not tell: whoever runs at all is taken to wait.
                "SELECT count(*) FROM information_schema.sessions WHERE executing_statement IS NOT NULL"
                        + " AND session_id <> SESSION_ID()",
                "ALTER TABLE postroom_message ALTER COLUMN seq RESTART WITH 1");

        private final String otherTimeZone;
        private final String lockWaits;
        private final String rewind;

        Kind(String otherTimeZone, String lockWaits, String rewind) {
            this.otherTimeZone = otherTimeZone;
            this.lockWaits = lockWaits;
            this.rewind = rewind;
        }

        /** Makes the sequence of an empty table begin at 1 again, as after a restore or a lossy failover. */
        String rewind() {
            return rewind;
        }

        /** An empty payload. */
        String noBytes() {
            return "CAST('' AS " + (this == POSTGRESQL ? "bytea" : this == MARIADB ? "BINARY" : "VARBINARY") + ")";
        }

        /** Ends the session of a migration that waits for somebody else's transaction, if there is one. */
        boolean endWaitingMigration(DataSource dataSource) {
            String session = Sql.value(
                    dataSource,
                    switch (this) {
                        case POSTGRESQL -> """
                                SELECT max(pid) FROM pg_stat_activity
                                WHERE datname = current_database() AND wait_event_type = 'Lock'
                                  AND query LIKE 'ALTER TABLE%'""";
                        case MARIADB -> """
                                SELECT max(id) FROM information_schema.processlist
                                WHERE db = DATABASE() AND state LIKE 'Waiting for table metadata lock%'
                                  AND info LIKE 'ALTER TABLE%'""";
                        case H2 -> """
                                SELECT max(session_id) FROM information_schema.sessions
                                WHERE executing_statement LIKE 'ALTER TABLE postroom_message%'""";
                    });
            if (session == null) {
                return false;
            }
            Sql.update(
                    dataSource,
                    switch (this) {
                        case POSTGRESQL -> "SELECT pg_terminate_backend(" + session + ")";
                        case MARIADB -> "KILL " + session;
                        case H2 -> "CALL ABORT_SESSION(" + session + ")";
                    });
            return true;
        }

        /** Gives the session a time zone that is neither the JVM's nor the server's. */
        String otherTimeZone() {
            return otherTimeZone;
        }

        /** Counts the sessions that wait for another one's lock; empty for H2, which cannot tell by SQL. */
        String lockWaits() {
            return lockWaits;
        }

        /** Whether a key that was taken after the transaction's snapshot makes it fail, to be tried again. */
        boolean refusesKeysAfterSnapshot(Isolation level) {
            return this != MARIADB && level.keepsSnapshot();
        }

        /** What the product tells apart, weakest first. */
        List<Isolation> isolationLevels() {
            return this == POSTGRESQL
                    ? List.of(Isolation.READ_COMMITTED, Isolation.REPEATABLE_READ, Isolation.SERIALIZABLE)
                    : List.of(Isolation.values());
        }
    }
}
