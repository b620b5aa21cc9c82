package dev.postroom.benchmark;

import dev.postroom.testbed.TestDatabase;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Fills the tables, in the database itself: ten million messages that were really delivered would take an hour. */
final class AdminBacklog {
    private static final int DEAD = 5_000;
    private static final int AT_ONCE = 1_000_000;

    private static final String WAITING = """
            INSERT INTO postroom_message (topic, ordering_key, type, payload)
            SELECT 'bench.waiting', 'order-' || n %% 10000, 'OrderPlaced', decode(repeat('61', 300), 'hex')
            FROM generate_series(%d, %d) n
            """;
    private static final String DEAD_LETTERS = """
            INSERT INTO postroom_message (topic, ordering_key, payload, dead_at, reason, error, attempts)
            SELECT 'bench.waiting', 'dead-' || n %% 500, '\\x61', now(), 'HANDLER_EXCEPTION', 'no stock for article ' || n, 5
            FROM generate_series(%d, %d) n
            """;
    private static final String ARCHIVED = """
            INSERT INTO postroom_archive (archived_at, seq, id, created_at, attempts, crashes, lane, outcome, tenant, topic,
                ordering_key, content_type, payload)
            SELECT now(), -n, gen_random_uuid(), now() - interval '1 second', 0, 0, n %% 64, 0, '', 'bench.orders',
                'order-' || n %% 10000, 'application/json', decode(repeat('61', 300), 'hex')
            FROM generate_series(%d, %d) n
            """;

    private final TestDatabase database;
    private final PrintWriter progress;

    /** Tells on the way how far it is, because it takes minutes. */
    AdminBacklog(TestDatabase database, PrintWriter progress) {
        this.database = database;
        this.progress = progress;
    }

    void fill(int waiting, int archived) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            insert(statement, WAITING, waiting, "waiting");
            insert(statement, DEAD_LETTERS, Math.min(DEAD, waiting), "dead");
            insert(statement, ARCHIVED, archived, "archived");
            statement.execute("VACUUM ANALYZE");
            statement.execute("CHECKPOINT");
        }
    }

    private void insert(Statement statement, String insert, int rows, String what) throws SQLException {
        for (int done = 0; done < rows; ) {
            int next = Math.min(rows, done + AT_ONCE);
            statement.execute(insert.formatted(done + 1, next));
            done = next;
            progress.printf("filled %,d of %,d %s%n", done, rows, what);
            progress.flush();
        }
    }
}
