package dev.postroom.jdbc.internal.operations;

import java.sql.SQLException;
import java.util.List;

/** What MariaDB and H2 share: seq is their primary key, and a hash in the column stream finds the rows of a stream. */
abstract class PortableOperationsSql implements OperationsSql {
    private static final String LIST = """
            SELECT m.*, (m.ordering_key IS NOT NULL AND NOT m.released AND {held}) AS held
            FROM (SELECT m.seq, m.id, m.stream, m.tenant, m.topic, m.ordering_key, m.type, m.state, m.released, m.attempts,
                      m.created_at, COALESCE(m.retry_at, m.available_at) AS due, m.reason, LEFT(m.error, 200) AS error
                  FROM postroom_message m
                  WHERE {where}
                  ORDER BY m.seq DESC
                  LIMIT ? OFFSET ?) m
            ORDER BY m.seq DESC
            """;

    private static final String HELD = """
            EXISTS (SELECT 1 FROM postroom_message h
                    WHERE h.stream = m.stream AND h.standing = 1 AND h.seq < m.seq
                      AND h.tenant = m.tenant AND h.topic = m.topic AND h.ordering_key = m.ordering_key)
            """;

    private static final String COUNT_SCHEDULED = """
            SELECT COUNT(*)
            FROM (SELECT 1 AS one FROM postroom_message m
                  WHERE m.state IN (1, 2) AND COALESCE(m.retry_at, m.available_at) > ?
                  LIMIT ?) x
            """;

    private static final String FAILURES = """
            SELECT m.id, m.topic, m.reason, LEFT(m.error, 1000) AS error, m.state,
                COALESCE(m.failed_at, m.dead_at, m.created_at) AS failed
            FROM postroom_message m
            WHERE m.state IN (2, 3) AND (m.state = 3 OR m.attempts > 0)
            ORDER BY m.seq DESC
            LIMIT ?
            """;

    @Override
    public String list() {
        return LIST.replace("{held}", HELD);
    }

    @Override
    public String select() {
        return "SELECT m.id FROM postroom_message m WHERE {where} ORDER BY m.seq LIMIT ?";
    }

    @Override
    public String held() {
        return HELD;
    }

    @Override
    public String countScheduled() {
        return COUNT_SCHEDULED;
    }

    @Override
    public String failures() {
        return FAILURES;
    }

    @Override
    public long purgeArchive(Statements statements, PurgeRequest request) throws SQLException {
        return statements.update(purge("postroom_archive", "archived_at"), List.of(request.before(), request.limit()));
    }

    /** The archive is one plain table. */
    @Override
    public void prepareArchive(Statements statements) {}
}
