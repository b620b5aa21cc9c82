package dev.postroom.jdbc.internal.postgresql;

import dev.postroom.jdbc.internal.SqlNames;

/** The statements of {@link PostgresReader}. */
final class PostgresReadSql {
    /**
     * What {@link dev.postroom.jdbc.internal.MessageRows} maps; its parameters are the longest headers as stored, the largest
     * payload twice, and the longest headers again.
     * Zero and false travel as null, which the driver reads as zero and false again: nearly all rows have them, and a null
     * costs neither side anything (a fifth of the read). Rows are probed for holders only when there is one at all.
     */
    private static final String MESSAGE = """
            m.id, m.lane, m.seq, NULLIF(m.state, 0) AS state, m.tenant, m.topic, m.ordering_key, m.type, m.content_type,
            m.content_encoding,
            CASE WHEN octet_length(m.headers::text) <= ? THEN m.headers::text END AS headers, m.source, m.only_destination, m.created_at,
            coalesce(m.retry_at, m.available_at) AS due, NULLIF(m.attempts, 0) AS attempts,
            NULLIF(m.crashes, 0) AS crashes, NULLIF(m.completed, 0) AS completed, NULLIF(m.released, false) AS released,
            NULLIF(m.version, 0) AS version,
            CASE WHEN octet_length(m.payload) > ? THEN octet_length(m.payload) END AS payload_bytes,
            CASE WHEN octet_length(m.payload) <= ? THEN m.payload END AS payload,
            NULLIF(m.ordering_key IS NOT NULL AND NOT m.released AND (SELECT found FROM holding) AND EXISTS (
                SELECT 1 FROM postroom_message h
                WHERE h.stream = m.stream
                  AND h.tenant = m.tenant AND h.topic = m.topic AND h.ordering_key = m.ordering_key
                  AND h.seq < m.seq
                  AND h.state >= 2 AND h.holds AND NOT h.released AND h.ordering_key IS NOT NULL), false) AS held,
            NULL::bigint AS earlier_seq,
            CASE WHEN octet_length(m.headers::text) > ? THEN octet_length(m.headers::text) END AS headers_bytes
            """;

    /** In the order of the index: asked with EXISTS, the planner hopes to meet one soon and reads the whole table. */
    private static final String HOLDING = """
            holding AS MATERIALIZED (
                SELECT count(*) > 0 AS found FROM (
                    SELECT 1 FROM postroom_message h
                    WHERE h.state >= 2 AND h.holds AND NOT h.released AND h.ordering_key IS NOT NULL
                    ORDER BY h.stream, h.seq
                    LIMIT 1) first_holder
            )
            """;

    /**
     * One statement, hence one snapshot, with four parts: the rows ahead of the lanes' cursors; the rows behind them
     * of transactions that were running at the previous read, and of those that came after its snapshot (asked for in one
     * condition, a plan for all parameters takes it for a filter and visits every row); the snapshot itself. OFFSET 0
     * keeps the planner from looking for late rows along the lanes, which is the whole backlog. Ranges have two ends,
     * because without statistics the planner takes one end alone for a third of the table. The sequence is asked by a function: to
     * select from it is a scan, and with scans switched off that made every read look dear enough to be compiled.
     */
    private static final String READ = """
            WITH position AS MATERIALIZED (
                SELECT * FROM unnest(?::smallint[], ?::bigint[], ?::bigint[], ?::integer[])
                    AS p(lane, cursor, horizon, most)
            ), {holding}
            SELECT {message}, NULL::text AS snapshot, NULL::bigint AS last_seq
            FROM position p CROSS JOIN LATERAL (
                SELECT * FROM postroom_message f
                WHERE f.state = 0 AND f.lane = p.lane AND f.seq > p.cursor AND f.seq <= p.horizon
                ORDER BY f.seq FETCH FIRST (p.most) ROWS WITH TIES) m
            UNION ALL
            SELECT {message}, NULL, NULL
            FROM pg_catalog.unnest(?::bigint[]) AS r(tx) CROSS JOIN LATERAL (
                SELECT * FROM postroom_message l WHERE l.tx = r.tx AND l.seq BETWEEN 0 AND ? OFFSET 0) m
            JOIN position p ON p.lane = m.lane AND m.seq <= p.cursor
            WHERE m.state = 0
            UNION ALL
            SELECT {message}, NULL, NULL
            FROM (SELECT * FROM postroom_message l
                  WHERE l.tx BETWEEN ? AND 9223372036854775807 AND l.seq BETWEEN 0 AND ? OFFSET 0) m
            JOIN position p ON p.lane = m.lane AND m.seq <= p.cursor
            WHERE m.state = 0
            UNION ALL
            SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                pg_current_snapshot()::text, coalesce(pg_sequence_last_value('postroom_seq'::regclass), 1)
            """;

    /**
     * statement_timestamp(), because an index cannot be searched by a clock that moves during the statement. Nothing is due
     * before the epoch, as in the index: of what lies before, the driver could not tell where the next page begins.
     */
    private static final String READ_DUE = """
            WITH {holding}
            SELECT {message}
            FROM unnest(?::smallint[], ?::text[], ?::bigint[]) AS p(lane, due, seq)
            CROSS JOIN LATERAL (
                SELECT * FROM postroom_message d
                WHERE d.state IN (1, 2) AND d.lane = p.lane
                  AND (greatest(coalesce(d.retry_at, d.available_at), 'epoch'), d.seq) > (p.due::timestamptz, p.seq)
                  AND greatest(coalesce(d.retry_at, d.available_at), 'epoch') <= statement_timestamp()
                ORDER BY greatest(coalesce(d.retry_at, d.available_at), 'epoch'), d.seq
                LIMIT ?) m
            ORDER BY greatest(coalesce(m.retry_at, m.available_at), 'epoch'), m.seq
            """;

    private static final String FETCH = """
            WITH {holding}
            SELECT {message}
            FROM postroom_message m
            WHERE m.id = ANY (?::uuid[]) AND m.state < 3
            ORDER BY m.seq
            """;

    /** Number by number: up to PostgreSQL 16, without statistics, a list of them is but a filter on all of the lane. */
    private static final String FETCH_READY = """
            WITH {holding}
            SELECT {message}
            FROM (SELECT DISTINCT pg_catalog.unnest(?::bigint[]) AS seq) n CROSS JOIN LATERAL (
                SELECT * FROM postroom_message r WHERE r.state = 0 AND r.lane = ? AND r.seq = n.seq OFFSET 0) m
            ORDER BY m.seq
            """;

    private static final String HOLDERS = """
            SELECT id, lane, seq, state, completed, coalesce(retry_at, available_at) AS due
            FROM postroom_message
            WHERE stream = postroom_stream_of(?::text, ?::text)
              AND tenant = ?::text AND topic = ?::text AND ordering_key = ?::text
              AND state >= 2 AND holds AND NOT released AND ordering_key IS NOT NULL
            ORDER BY seq
            LIMIT ?
            """;

    final String read;
    final String readDue;
    final String fetch;
    final String fetchReady;
    final String holders;

    PostgresReadSql(SqlNames names) {
        this.read = names.in(whole(READ));
        this.readDue = names.in(whole(READ_DUE));
        this.fetch = names.in(whole(FETCH));
        this.fetchReady = names.in(whole(FETCH_READY));
        this.holders = names.in(HOLDERS);
    }

    private static String whole(String statement) {
        return statement.replace("{holding}", HOLDING).replace("{message}", MESSAGE);
    }
}
