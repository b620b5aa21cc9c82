package dev.postroom.jdbc.internal.postgresql;

import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.follow.HolderRows;

/** The statements of {@link PostgresFollowReader}: whatever the table holds, each looks at no more rows than its limits say. */
final class PostgresFollowSql {
    /**
     * What {@link dev.postroom.jdbc.internal.follow.FollowRows} maps; its parameters are the contents' weight up to which they come along, four times. Zero and
     * false travel as null, which the driver reads as zero and false again: nearly all rows have them, and a null costs
     * neither side anything. Rows are probed for holders only when there is one at all.
     */
    private static final String MESSAGE = """
            m.id, m.lane, m.seq, NULLIF(m.state, 0) AS state, m.tenant, m.topic, m.ordering_key, m.type, m.content_type,
            m.content_encoding,
            CASE WHEN octet_length(m.headers::text) <= ? THEN m.headers::text END AS headers,
            m.source, m.only_destination, m.created_at,
            coalesce(m.retry_at, m.available_at) AS due, NULLIF(m.attempts, 0) AS attempts,
            NULLIF(m.crashes, 0) AS crashes, NULLIF(m.completed, 0) AS completed, NULLIF(m.released, false) AS released,
            NULLIF(m.version, 0) AS version,
            CASE WHEN octet_length(m.payload) > ? THEN octet_length(m.payload) END AS payload_bytes,
            CASE WHEN octet_length(m.payload) <= ? THEN m.payload END AS payload,
            {held} AS held,
            CASE WHEN octet_length(m.headers::text) > ? THEN octet_length(m.headers::text) END AS headers_bytes,
            m.stream, NULLIF(NOT m.holds, false) AS skips
            """;

    /**
     * True or null. In the order of the index: asked with EXISTS where one stream has most of the holders, the planner hopes to meet one
     * of this stream soon, and wades through all of them by state.
     */
    private static final String HELD = """
            CASE WHEN m.stream IS NOT NULL AND NOT m.released AND (SELECT found FROM holding) THEN (
                SELECT true FROM postroom_message h
                WHERE h.stream = m.stream AND h.seq < m.seq
                  AND h.state >= 2 AND h.holds AND NOT h.released AND h.ordering_key IS NOT NULL
                ORDER BY h.stream, h.seq LIMIT 1) END""";

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

    /** Which server answers: no other was started at that instant, and one that is promoted to primary was a replica before. */
    private static final String SERVER = """
            extract(epoch FROM pg_postmaster_start_time())::text || CASE WHEN pg_is_in_recovery() THEN ' replica'::text ELSE ''::text END""";

    /**
     * Rows of transactions that the mark did not show, in two searches, because asked for in one condition a plan for all parameters takes it for a
     * filter and visits every row. Nothing at or above this snapshot's end was given by this server. LIMIT keeps the planner from
     * looking for late rows along the lanes, which is the whole backlog, and bounds what is visited, wanted or not.
     */
    private static final String LATE = """
            late AS MATERIALIZED (
                SELECT * FROM (
                    SELECT l.* FROM pg_catalog.unnest(?::bigint[]) AS r(tx) CROSS JOIN LATERAL (
                        SELECT f.xmin AS written_by, f.* FROM postroom_message f
                        WHERE f.tx = r.tx AND f.seq BETWEEN 1 AND ? ORDER BY f.tx, f.seq LIMIT ?) l
                    LIMIT ?) running
                UNION ALL
                SELECT * FROM (
                    SELECT f.xmin AS written_by, f.* FROM postroom_message f
                    WHERE f.tx BETWEEN ? AND pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1 AND f.seq BETWEEN 1 AND ?
                    ORDER BY f.tx, f.seq LIMIT ?) unseen
            )
            """;

    /** Whether this server's transaction wrote the row {@code m}: who wrote it cannot be older than the number that it was given by. */
    private static final String OURS = """
            m.tx <= (pg_snapshot_xmax(pg_current_snapshot())::text::bigint
                - ((pg_snapshot_xmax(pg_current_snapshot())::text::bigint - m.written_by::text::bigint) & 4294967295::bigint))""";

    /**
     * statement_timestamp(), because an index cannot be searched by a clock that moves during the statement. Nothing is due before the
     * epoch, as in the index: of what lies before, the driver could not tell where the next page begins.
     */
    private static final String DUE = """
            UNION ALL
            SELECT {message}, -1
            FROM unnest(?::smallint[], ?::text[], ?::bigint[]) AS p(lane, due, seq)
            CROSS JOIN LATERAL (
                SELECT * FROM postroom_message d
                WHERE d.state IN (1, 2) AND d.lane = p.lane
                  AND (greatest(coalesce(d.retry_at, d.available_at), 'epoch'), d.seq) > (p.due::timestamptz, p.seq)
                  AND greatest(coalesce(d.retry_at, d.available_at), 'epoch') <= statement_timestamp()
                ORDER BY greatest(coalesce(d.retry_at, d.available_at), 'epoch'), d.seq
                LIMIT ?) m
            """;

    private static final String SWEEP = """
            UNION ALL
            SELECT * FROM (
                SELECT m.id, m.lane, m.seq, NULL::smallint, m.tenant, m.topic, m.ordering_key, m.type, NULL::text,
                    NULL::text, NULL::text, NULL::text, m.only_destination, NULL::timestamptz,
                    NULL::timestamptz, NULL::integer, NULL::integer, NULLIF(m.completed, 0), NULLIF(m.released, false),
                    NULL::integer, NULL::integer, NULL::bytea, NULL::boolean, NULL::integer,
                    m.stream, NULL::boolean, -10::bigint
                FROM unnest(?::smallint[], ?::bigint[], ?::bigint[]) AS s(lane, after, up_to)
                CROSS JOIN LATERAL (
                    SELECT * FROM postroom_message w
                    WHERE w.state = 0 AND w.lane = s.lane AND w.seq > s.after AND w.seq <= s.up_to
                    ORDER BY w.seq LIMIT ?) m
                LIMIT ?) swept
            """;

    /**
     * One statement, hence one snapshot. Ranges have two ends, because without statistics the planner takes one end alone for a third of
     * the table. The sequence is asked by a function: to select from it is a scan, and with scans switched off that made every read
     * look dear enough to be compiled. It is asked after the snapshot was taken, so a number that it names and the
     * snapshot does not show belongs to a transaction that is late for the next page. Parts that are not asked for are left out: to prepare
     * them for a read costs as much as an idle read.
     */
    private static final String READ = """
            WITH {holding}, {late}
            SELECT {message}, r.n AS place
            FROM unnest(?::smallint[], ?::bigint[], ?::bigint[], ?::integer[]) WITH ORDINALITY AS r(lane, after, up_to, most, n)
            CROSS JOIN LATERAL (
                SELECT * FROM postroom_message f
                WHERE f.state = 0 AND f.lane = r.lane AND f.seq > r.after AND f.seq <= r.up_to
                ORDER BY f.seq FETCH FIRST (r.most) ROWS WITH TIES) m
            UNION ALL
            SELECT {message}, 0
            FROM late m
            WHERE m.state = 0 AND {ours}
            {due}
            {sweep}
            UNION ALL
            SELECT NULL, NULL, coalesce(pg_sequence_last_value('postroom_seq'::regclass), 0), NULL, NULL, NULL, NULL, NULL, NULL,
                NULL, pg_current_snapshot()::text, {server}, NULL, statement_timestamp(), NULL, NULL, NULL,
                (SELECT count(*) FROM late), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, -2
            """;

    /**
     * The lowest late row of each lane among the next few: in order of transaction and seq, first of those that were running, then of
     * those that had not begun to be seen. The last row says how far it came.
     */
    private static final String LATE_FLOOR = """
            WITH scanned AS MATERIALIZED (
                SELECT * FROM (
                    SELECT l.* FROM unnest(?::bigint[], ?::bigint[]) AS r(tx, after) CROSS JOIN LATERAL (
                        SELECT f.xmin AS written_by, f.tx, f.seq, f.lane, f.state FROM postroom_message f
                        WHERE f.tx = r.tx AND f.seq > r.after AND f.seq <= ? ORDER BY f.tx, f.seq LIMIT ?) l
                    UNION ALL
                    SELECT * FROM (
                        SELECT f.xmin AS written_by, f.tx, f.seq, f.lane, f.state FROM postroom_message f
                        WHERE (f.tx, f.seq) > (?, ?) AND f.seq BETWEEN 1 AND ? AND f.tx < ?
                            AND f.tx < pg_snapshot_xmax(pg_current_snapshot())::text::bigint
                        ORDER BY f.tx, f.seq LIMIT ?) unseen) both_parts
                LIMIT ?
            ), last AS MATERIALIZED (
                SELECT s.tx, s.seq FROM scanned s ORDER BY s.tx DESC, s.seq DESC LIMIT 1
            )
            SELECT m.lane, min(m.seq) AS seq, NULL::bigint AS tx, NULL::bigint AS scanned, NULL::text AS snapshot, NULL::text AS server,
                NULL::bigint AS last_seq
            FROM scanned m JOIN unnest(?::smallint[], ?::bigint[]) AS p(lane, highest) ON p.lane = m.lane AND m.seq <= p.highest
            WHERE m.state = 0 AND {ours}
            GROUP BY m.lane
            UNION ALL
            SELECT NULL, (SELECT l.seq FROM last l), (SELECT l.tx FROM last l), (SELECT count(*) FROM scanned),
                pg_current_snapshot()::text, {server}, coalesce(pg_sequence_last_value('postroom_seq'::regclass), 0)
            """;

    private static final String READ_STREAMS = """
            SELECT {message}, a.n AS place
            FROM unnest(?::bigint[], ?::bigint[], ?::integer[]) WITH ORDINALITY AS a(stream, after, most, n)
            CROSS JOIN LATERAL (
                SELECT * FROM postroom_message s
                WHERE s.stream = a.stream AND s.seq > a.after AND s.ordering_key IS NOT NULL AND s.holds AND NOT s.released
                ORDER BY s.seq LIMIT (a.most)) m
            UNION ALL
            SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, statement_timestamp(), NULL, NULL,
                NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, -2
            """;

    private static final String FETCH = """
            WITH {holding}
            SELECT {message}, 0 AS place
            FROM postroom_message m
            WHERE m.id = ANY (?::uuid[]) AND m.state < 3
            ORDER BY m.seq
            """;

    /** In whatever state they are by now. */
    private static final String LOAD = """
            SELECT {message}, 0 AS place
            FROM postroom_message m
            WHERE m.id = ANY (?::uuid[])
            """;

    private static final String HOLDERS = """
            SELECT a.stream, h.seq, h.topic, h.only_destination, h.completed
            FROM pg_catalog.unnest(?::bigint[]) AS a(stream) CROSS JOIN LATERAL (
                SELECT o.seq, o.topic, o.only_destination, o.completed FROM postroom_message o
                WHERE o.stream = a.stream AND o.state >= 2 AND o.holds AND NOT o.released AND o.ordering_key IS NOT NULL
                ORDER BY o.seq LIMIT {most}) h
            """;

    private static final int DUE_PART = 1;
    private static final int SWEEP_PART = 2;

    private final String[] pages = new String[4];
    final String lateFloor;
    final String readStreams;
    final String fetch;
    final String load;
    final String holders;

    PostgresFollowSql(SqlNames names) {
        String probing = MESSAGE.replace("{held}", HELD);
        String knowing = MESSAGE.replace("{held}", "NULL::boolean");
        for (int parts = 0; parts < pages.length; parts++) {
            pages[parts] = names.in(READ.replace("{due}", (parts & DUE_PART) == 0 ? "" : DUE)
                    .replace("{sweep}", (parts & SWEEP_PART) == 0 ? "" : SWEEP)
                    .replace("{holding}", HOLDING)
                    .replace("{late}", LATE)
                    .replace("{message}", probing)
                    .replace("{ours}", OURS)
                    .replace("{server}", SERVER));
        }
        this.lateFloor = names.in(LATE_FLOOR.replace("{ours}", OURS).replace("{server}", SERVER));
        this.readStreams = names.in(READ_STREAMS.replace("{message}", knowing));
        this.fetch = names.in(FETCH.replace("{holding}", HOLDING).replace("{message}", probing));
        this.load = names.in(LOAD.replace("{message}", knowing));
        this.holders = names.in(HOLDERS.replace("{most}", String.valueOf(HolderRows.MOST)));
    }

    /** The parts of a page that there are to be beside its late rows and ranges. */
    String read(boolean due, boolean sweep) {
        return pages[(due ? DUE_PART : 0) | (sweep ? SWEEP_PART : 0)];
    }
}
