package dev.postroom.jdbc.internal.mariadb;

import dev.postroom.jdbc.internal.portable.ReadSql;

/**
 * Reading in MariaDB. Keys are looked up in an index first and their rows then by primary key, in this order whatever the
 * optimizer thinks of it: its estimates date from when the table was empty, or full.
 */
final class MariaDbReadSql implements ReadSql {
    private static final String MESSAGES = """
            SELECT m.id, m.lane, m.seq, m.state, m.tenant, m.topic, m.ordering_key, m.type, m.content_type,
                m.content_encoding, CASE WHEN OCTET_LENGTH(m.headers) <= ? THEN m.headers END AS headers, m.source,
                m.only_destination, m.created_at, m.due, m.attempts, m.crashes, m.completed,
                m.released, m.version, OCTET_LENGTH(m.payload) AS payload_bytes,
                CASE WHEN OCTET_LENGTH(m.payload) <= ? THEN m.payload END AS payload,
                m.stream IS NOT NULL AND NOT m.released AND EXISTS (
                    SELECT 1 FROM postroom_message h FORCE INDEX (stream)
                    WHERE h.stream = m.stream AND h.standing = 1 AND h.seq < m.seq
                      AND h.tenant = m.tenant AND h.topic = m.topic AND h.ordering_key = m.ordering_key) AS held,
                NULL AS earlier_seq, OCTET_LENGTH(m.headers) AS headers_bytes, m.stream
            """;

    private static final String BY_KEYS = MESSAGES + """
            FROM ({keys}) k STRAIGHT_JOIN postroom_message m ON m.seq = k.seq
            """;

    private static final String FORWARD = """
            (SELECT seq FROM postroom_message FORCE INDEX (forward)
             WHERE state = 0 AND lane = ? AND seq > ? AND seq <= ?
             ORDER BY seq LIMIT ?)
            """;

    private static final String DUE = """
            (SELECT seq FROM postroom_message FORCE INDEX (due)
             WHERE due_lane = ? AND due <= UTC_TIMESTAMP(6) AND due >= ? AND (due > ? OR seq > ?)
             ORDER BY due, seq LIMIT ?)
            """;

    private static final String PASSED = """
            SELECT lane, seq, id, stream FROM postroom_message FORCE INDEX (forward)
            WHERE state = 0 AND ({lanes})
            ORDER BY state, lane, seq LIMIT ?
            """;

    /** With the seq as a constant, MariaDB goes right to the place; compared with a column, it would scan the stream. */
    private static final String EARLIER = """
            (SELECT ? AS place, seq FROM postroom_message FORCE INDEX (stream)
             WHERE stream = CAST(CAST(CONV(LEFT(SHA2(CONCAT(CHAR_LENGTH(CONVERT(? USING utf8mb4)), _utf8mb4':',
                     CONVERT(? USING utf8mb4), CONVERT(? USING utf8mb4)), 256), 16), 16, 10) AS UNSIGNED) AS SIGNED)
               AND standing = 0 AND seq < ? AND tenant = ? AND topic = ? AND ordering_key = ?
             ORDER BY standing DESC, stream DESC, seq DESC LIMIT 1)
            """;

    private static final String FETCH = MESSAGES + """
            FROM postroom_message m FORCE INDEX (PRIMARY)
            WHERE m.seq IN ({seqs}) AND m.state < 3
            """;

    private static final String FETCH_READY = MESSAGES + """
            FROM postroom_message m FORCE INDEX (PRIMARY)
            WHERE m.lane = ? AND m.seq IN ({seqs}) AND m.state = 0
            """;

    /** The hash is that of the column {@code stream}. */
    private static final String HOLDERS = """
            SELECT id, lane, seq, state, completed, COALESCE(retry_at, available_at) AS due
            FROM postroom_message FORCE INDEX (stream)
            WHERE stream = CAST(CAST(CONV(LEFT(SHA2(CONCAT(CHAR_LENGTH(CONVERT(? USING utf8mb4)), _utf8mb4':',
                    CONVERT(? USING utf8mb4), CONVERT(? USING utf8mb4)), 256), 16), 16, 10) AS UNSIGNED) AS SIGNED)
              AND standing = 1 AND tenant = ? AND topic = ? AND ordering_key = ?
            ORDER BY seq
            LIMIT ?
            """;

    @Override
    public String forward(int lanes) {
        return BY_KEYS.replace("{keys}", FORWARD + ("UNION ALL " + FORWARD).repeat(lanes - 1));
    }

    @Override
    public String passed(int lanes) {
        String range = "lane = ? AND seq > ? AND seq <= ?";
        return PASSED.replace("{lanes}", range + ("\n    OR " + range).repeat(lanes - 1));
    }

    @Override
    public int passedLanes() {
        return 64;
    }

    @Override
    public String due(int lanes) {
        return BY_KEYS.replace("{keys}", DUE + ("UNION ALL " + DUE).repeat(lanes - 1));
    }

    @Override
    public String earlier(int rows) {
        return EARLIER + ("UNION ALL " + EARLIER).repeat(rows - 1);
    }

    @Override
    public String fetch(int seqs) {
        return FETCH.replace("{seqs}", "?" + ", ?".repeat(seqs - 1));
    }

    @Override
    public String fetchReady(int seqs) {
        return FETCH_READY.replace("{seqs}", "?" + ", ?".repeat(seqs - 1));
    }

    @Override
    public String holders() {
        return HOLDERS;
    }
}
