package dev.postroom.jdbc.internal.postgresql;

import dev.postroom.jdbc.internal.SqlNames;

/** The statements of {@link PostgresSettler}. Batches travel as arrays. */
final class PostgresSettleSql {
    private static final String MERGE = """
            UPDATE postroom_message m
            SET completed = m.completed | d.confirmed
            FROM unnest(?::uuid[], ?::bigint[], ?::bigint[]) AS d(id, seq, confirmed)
            WHERE m.id = d.id AND m.seq = d.seq
            """;

    /**
     * Ids that grow with time lie close together in their index, so that this is as fast as by number. The number is
     * compared too: a message that was replayed has its old id, and a late confirmation of what was sent before is none of
     * what was not sent yet. Nothing is returned but the count: the ids would cost a fifth of it.
     */
    private static final String REMOVE = """
            DELETE FROM postroom_message m
            USING unnest(?::uuid[], ?::bigint[]) AS d(id, seq)
            WHERE m.id = d.id AND m.seq = d.seq AND {ours}
            """;

    private static final String REMOVE_COVERED = """
            DELETE FROM postroom_message m
            USING unnest(?::uuid[], ?::bigint[], ?::bigint[]) AS d(id, seq, route)
            WHERE m.id = d.id AND m.seq = d.seq AND m.completed & d.route = d.route AND {ours}
            """;

    /** Lanes that were taken for another routing since are read once, not for every row. */
    private static final String OURS = """
            m.lane <> ALL (ARRAY(SELECT l.lane FROM postroom_lane l, postroom_node n
                WHERE n.node = ?::text AND l.lane >= 0 AND l.routing <> n.routing AND (l.owner IS NULL OR l.owner <> n.node)))""";

    /** A replayed message has its archive entry already. */
    private static final String ARCHIVE = """
            WITH gone AS (
                {remove}
                RETURNING m.*
            ), kept AS (
                INSERT INTO postroom_archive (seq, id, created_at, available_at, attempts, crashes, lane, outcome, tenant,
                    topic, ordering_key, type, content_type, content_encoding, source, reason, error, headers, payload)
                SELECT seq, id, created_at, available_at, attempts, crashes, lane, 0, tenant,
                    topic, ordering_key, type, content_type, content_encoding, source, reason, error, headers, payload
                FROM gone
                WHERE only_destination IS NULL
            )
            SELECT count(*) FROM gone
            """;

    /** Fenced twice: by the row's version and by the lane's epoch. An attempt is kept only for what was changed. */
    private static final String FAIL = """
            WITH failed AS MATERIALIZED (
                SELECT * FROM unnest(?::uuid[], ?::bigint[], ?::smallint[], ?::integer[], ?::bigint[], ?::integer[],
                        ?::bigint[], ?::boolean[], ?::bigint[], ?::text[], ?::text[], ?::text[])
                    AS f(id, seq, lane, version, epoch, attempts, retry_after, holds, confirmed, reason, error,
                        destination)
            ), changed AS (
                UPDATE postroom_message m
                SET attempts = f.attempts, version = least(m.version, 2147483646) + 1, completed = m.completed | f.confirmed,
                    retry_at = clock_timestamp() + f.retry_after::double precision * interval '1 microsecond',
                    dead_at = CASE WHEN f.retry_after IS NULL THEN clock_timestamp() END,
                    failed_at = clock_timestamp(), holds = f.holds, reason = f.reason, error = f.error
                FROM failed f
                WHERE m.id = f.id AND m.seq = f.seq AND m.version = f.version AND m.state < 3
                  AND EXISTS (SELECT 1 FROM postroom_lane l
                              WHERE l.lane = f.lane AND l.owner = ?::text AND l.epoch = f.epoch)
                RETURNING m.id
            )
            INSERT INTO postroom_attempt (message_id, attempt, reason, error, destination, node)
            SELECT f.id, f.attempts, f.reason, f.error, f.destination, ?
            FROM failed f JOIN changed c ON c.id = f.id
            RETURNING message_id AS id
            """;

    private static final String SUSPECT = """
            UPDATE postroom_message m
            SET crashes = s.crashes, version = least(m.version, 2147483646) + 1
            FROM unnest(?::uuid[], ?::bigint[], ?::smallint[], ?::integer[], ?::bigint[], ?::integer[])
                AS s(id, seq, lane, version, epoch, crashes)
            WHERE m.id = s.id AND m.seq = s.seq AND m.version = s.version AND m.state < 3
              AND EXISTS (SELECT 1 FROM postroom_lane l WHERE l.lane = s.lane AND l.owner = ?::text AND l.epoch = s.epoch)
            RETURNING m.id
            """;

    private static final String RELEASE = """
            UPDATE postroom_lane l
            SET owner = NULL, lease_until = NULL, reserved_from = 0, reserved_to = 0
            FROM unnest(?::smallint[], ?::bigint[]) AS r(lane, epoch)
            WHERE l.lane = r.lane AND l.owner = ?::text AND l.epoch = r.epoch
            """;

    final String merge;
    final String remove;
    final String removeCovered;
    final String archive;
    final String archiveCovered;
    final String fail;
    final String suspect;
    final String release;

    PostgresSettleSql(SqlNames names) {
        this.merge = names.in(MERGE);
        String remove = REMOVE.replace("{ours}", OURS);
        String removeCovered = REMOVE_COVERED.replace("{ours}", OURS);
        this.remove = names.in(remove);
        this.removeCovered = names.in(removeCovered);
        this.archive = names.in(ARCHIVE.replace("{remove}", remove));
        this.archiveCovered = names.in(ARCHIVE.replace("{remove}", removeCovered));
        this.fail = names.in(FAIL);
        this.suspect = names.in(SUSPECT);
        this.release = names.in(RELEASE);
    }
}
