package dev.postroom.jdbc.internal.operations;

import dev.postroom.DatabaseException;
import dev.postroom.jdbc.internal.Session;
import dev.postroom.jdbc.internal.SqlNames;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** Runs each piece of work in a short transaction on a connection of its own. Thread-safe. */
final class Transactions {
    static final Duration LONGEST_READ = Duration.ofSeconds(5);
    private static final Duration LONGEST_CHANGE = Duration.ofSeconds(30);
    private static final int TRIES = 4;

    private final DataSource dataSource;
    private final SqlNames names;
    private final OperationsSql sql;
    private final Duration longestRead;

    Transactions(DataSource dataSource, SqlNames names, OperationsSql sql) {
        this(dataSource, names, sql, LONGEST_READ);
    }

    Transactions(DataSource dataSource, SqlNames names, OperationsSql sql, Duration longestRead) {
        this.longestRead = longestRead;
        this.dataSource = dataSource;
        this.names = names;
        this.sql = sql;
    }

    /** Work within a transaction. */
    @FunctionalInterface
    interface Work<T> {
        T with(Statements statements) throws SQLException;
    }

    OperationsSql sql() {
        return sql;
    }

    <T> T read(String what, Work<T> work) {
        try {
            return run(what, longestRead, work);
        } catch (DatabaseException e) {
            throw SqlErrors.explained(what, longestRead, e);
        }
    }

    /** Tries again when relays or other operators got in between: the work began from the beginning is all it takes. */
    <T> T change(String what, Work<T> work) {
        for (int attempt = 1; ; attempt++) {
            try {
                return run(what, LONGEST_CHANGE, work);
            } catch (DatabaseException e) {
                if (attempt == TRIES || !SqlErrors.isCollision(e)) {
                    throw SqlErrors.explained(what, LONGEST_CHANGE, e);
                }
            }
        }
    }

    private <T> T run(String what, Duration longest, Work<T> work) {
        try (Session session = new Session(dataSource, sql.limit(longest))) {
            return session.transaction(what, connection -> work.with(new Statements(connection, names, sql)));
        }
    }
}
