package dev.postroom.jdbc.internal.postgresql;

import dev.postroom.jdbc.internal.SqlNames;

/** The statements of {@link PostgresReader}. */
final class PostgresReadSql {
    /** What {@link dev.postroom.jdbc.internal.MessageRows} maps; its one parameter is the largest payload to return. */
    private static final String MESSAGE = """
            m.id, m.lane, m.seq, m.state, m.tenant, m.topic, m.ordering_key, m.type, m.content_type,
            m.content_encoding, m.headers::text AS headers, m.source, m.only_destination, m.created_at,
            coalesce(m.retry_at, m.available_at) AS due, m.attempts, m.crashes, m.completed, m.released, m.version,
            octet_length(m.payload) AS payload_bytes,
            CASE WHEN octet_length(m.payload) <= ? THEN m.payload END AS payload,
            m.ordering_key IS NOT NULL AND NOT m.released AND EXISTS (
                SELECT 1 FROM postroom_message h
                WHERE h.tenant = m.tenant AND h.topic = m.topic AND h.ordering_key = m.ordering_key
                  AND h.seq < m.seq
                  AND h.state >= 2 AND h.holds AND NOT h.released AND h.ordering_key IS NOT NULL) AS held,
            NULL::bigint AS earlier_seq
            """;

    /**
     * One statement, hence one snapshot, with three parts: rows of transactions that were running at the previous read,
     * rows of transactions that came after its snapshot, both only behind the lanes' cursors, and the rows ahead of them.
     * OFFSET 0 keeps the planner from looking for late rows along the lanes, which is the whole backlog. A row of its
     * own carries the snapshot when there are no others.
     */
    private static final String READ = """
            WITH position AS MATERIALIZED (
                SELECT * FROM unnest(?::smallint[], ?::bigint[], ?::integer[]) AS p(lane, cursor, most)
            )
            SELECT CASE WHEN row_number() OVER () = 1 THEN s.snapshot END AS snapshot, s.last_seq,
                {message}
            FROM (SELECT pg_current_snapshot()::text AS snapshot, (SELECT last_value FROM postroom_seq) AS last_seq) s
            LEFT JOIN (
                SELECT late.*
                FROM (SELECT * FROM postroom_message WHERE tx = ANY (?) AND seq <= ? OFFSET 0) late
                JOIN position p ON p.lane = late.lane AND late.seq <= p.cursor
                WHERE late.state = 0
                UNION ALL
                SELECT late.*
                FROM (SELECT * FROM postroom_message WHERE tx >= ? AND seq <= ? OFFSET 0) late
                JOIN position p ON p.lane = late.lane AND late.seq <= p.cursor
                WHERE late.state = 0
                UNION ALL
                SELECT ahead.*
                FROM position p CROSS JOIN LATERAL (
                    SELECT * FROM postroom_message f
                    WHERE f.state = 0 AND f.lane = p.lane AND f.seq > p.cursor
                    ORDER BY f.seq FETCH FIRST (p.most) ROWS WITH TIES) ahead
            ) m ON true
            """;

    /** statement_timestamp(), because an index cannot be searched by a clock that moves during the statement. */
    private static final String READ_DUE = """
            SELECT {message}
            FROM unnest(?::smallint[], ?::text[], ?::bigint[]) AS p(lane, due, seq)
            CROSS JOIN LATERAL (
                SELECT * FROM postroom_message d
                WHERE d.state IN (1, 2) AND d.lane = p.lane
                  AND (coalesce(d.retry_at, d.available_at), d.seq) > (p.due::timestamptz, p.seq)
                  AND coalesce(d.retry_at, d.available_at) <= statement_timestamp()
                ORDER BY coalesce(d.retry_at, d.available_at), d.seq
                LIMIT ?) m
            ORDER BY coalesce(m.retry_at, m.available_at), m.seq
            """;

    private static final String FETCH = """
            SELECT {message}
            FROM postroom_message m
            WHERE m.id = ANY (?) AND m.state < 3
            ORDER BY m.seq
            """;

    private static final String FETCH_READY = """
            SELECT {message}
            FROM postroom_message m
            WHERE m.state = 0 AND m.lane = ? AND m.seq = ANY (?)
            ORDER BY m.seq
            """;

    private static final String HOLDERS = """
            SELECT id, lane, seq, state, completed, coalesce(retry_at, available_at) AS due
            FROM postroom_message
            WHERE tenant = ? AND topic = ? AND ordering_key = ?
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
        this.read = names.in(READ.replace("{message}", MESSAGE));
        this.readDue = names.in(READ_DUE.replace("{message}", MESSAGE));
        this.fetch = names.in(FETCH.replace("{message}", MESSAGE));
        this.fetchReady = names.in(FETCH_READY.replace("{message}", MESSAGE));
        this.holders = names.in(HOLDERS);
    }
}
