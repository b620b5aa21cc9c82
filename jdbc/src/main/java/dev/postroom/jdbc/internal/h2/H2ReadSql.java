package dev.postroom.jdbc.internal.h2;

import dev.postroom.jdbc.internal.portable.ReadSql;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Reading in H2. Parameters are numbered, because the first two are used in every lane's part. ORDER BY names all of an
 * index's columns: only then does H2 see that it need not sort.
 */
final class H2ReadSql implements ReadSql {
    private static final String MESSAGES = """
            SELECT m.id, m.lane, m.seq, m.state, m.tenant, m.topic, m.ordering_key, m.type, m.content_type,
                m.content_encoding, CASE WHEN OCTET_LENGTH(m.headers) <= ?1 THEN m.headers END AS headers, m.source,
                m.only_destination, m.created_at, m.due, m.attempts, m.crashes, m.completed,
                m.released, m.version, OCTET_LENGTH(m.payload) AS payload_bytes,
                CASE WHEN OCTET_LENGTH(m.payload) <= ?2 THEN m.payload END AS payload,
                m.stream IS NOT NULL AND NOT m.released AND EXISTS (
                    SELECT 1 FROM postroom_message h
                    WHERE h.stream = m.stream AND h.standing = 1 AND h.seq < m.seq
                      AND h.tenant = m.tenant AND h.topic = m.topic AND h.ordering_key = m.ordering_key) AS held,
                CAST(NULL AS BIGINT) AS earlier_seq, OCTET_LENGTH(m.headers) AS headers_bytes, m.stream
            FROM postroom_message m
            """;

    private static final String FORWARD = "(" + MESSAGES + """
            WHERE m.state = 0 AND m.lane = ?%d AND m.seq > ?%d AND m.seq <= ?%d
            ORDER BY m.state, m.lane, m.seq LIMIT ?%d)
            """;

    private static final String DUE = "(" + MESSAGES + """
            WHERE m.lane = ?%d AND m.due <= CURRENT_TIMESTAMP(6) AND m.due >= ?%d AND (m.due > ?%d OR m.seq > ?%d)
            ORDER BY m.lane, m.due, m.seq LIMIT ?%d)
            """;

    private static final String PASSED = """
            (SELECT lane, seq, id, stream FROM postroom_message
             WHERE state = 0 AND lane = ?%d AND seq > ?%d AND seq <= ?%d
             ORDER BY state, lane, seq LIMIT ?{limit})
            """;

    private static final String EARLIER = """
            (SELECT CAST(? AS BIGINT) AS place, seq FROM postroom_message
             WHERE stream = CAST(SUBSTRING(HASH('SHA-256', STRINGTOUTF8(CHAR_LENGTH(CAST(? AS VARCHAR)) || ':'
                     || CAST(? AS VARCHAR) || CAST(? AS VARCHAR))) FROM 1 FOR 8) AS BIGINT)
               AND standing = 0 AND seq < ? AND tenant = ? AND topic = ? AND ordering_key = ?
             ORDER BY standing DESC, stream DESC, seq DESC LIMIT 1)
            """;

    private static final String FETCH = MESSAGES + """
            WHERE m.seq IN ({seqs}) AND m.state < 3
            """;

    private static final String FETCH_READY = MESSAGES + """
            WHERE m.lane = ?3 AND m.seq IN ({seqs}) AND m.state = 0
            """;

    /** The hash is that of the column {@code stream}. */
    private static final String HOLDERS = """
            SELECT id, lane, seq, state, completed, COALESCE(retry_at, available_at) AS due
            FROM postroom_message
            WHERE stream = CAST(SUBSTRING(HASH('SHA-256', STRINGTOUTF8(CHAR_LENGTH(CAST(? AS VARCHAR)) || ':'
                     || CAST(? AS VARCHAR) || CAST(? AS VARCHAR))) FROM 1 FOR 8) AS BIGINT)
              AND standing = 1 AND tenant = ? AND topic = ? AND ordering_key = ?
            ORDER BY standing, stream, seq
            LIMIT ?
            """;

    @Override
    public String forward(int lanes) {
        return IntStream.range(0, lanes)
                .map(lane -> 3 + 4 * lane)
                .mapToObj(first -> FORWARD.formatted(first, first + 1, first + 2, first + 3))
                .collect(Collectors.joining("UNION ALL "));
    }

    /** Few at once: each lane's part is read up to the limit, although one of them may fill the page. */
    @Override
    public int passedLanes() {
        return 8;
    }

    @Override
    public String passed(int lanes) {
        return IntStream.range(0, lanes)
                .map(lane -> 1 + 3 * lane)
                .mapToObj(first -> PASSED.formatted(first, first + 1, first + 2))
                .collect(Collectors.joining("UNION ALL "))
                .replace("{limit}", String.valueOf(3 * lanes + 1));
    }

    @Override
    public String due(int lanes) {
        return IntStream.range(0, lanes)
                .map(lane -> 3 + 5 * lane)
                .mapToObj(first -> DUE.formatted(first, first + 1, first + 2, first + 3, first + 4))
                .collect(Collectors.joining("UNION ALL "));
    }

    @Override
    public String earlier(int rows) {
        return EARLIER + ("UNION ALL " + EARLIER).repeat(rows - 1);
    }

    @Override
    public String fetch(int seqs) {
        return FETCH.replace("{seqs}", parameters(3, seqs));
    }

    @Override
    public String fetchReady(int seqs) {
        return FETCH_READY.replace("{seqs}", parameters(4, seqs));
    }

    private static String parameters(int first, int count) {
        return IntStream.range(first, first + count).mapToObj(n -> "?" + n).collect(Collectors.joining(", "));
    }

    @Override
    public String holders() {
        return HOLDERS;
    }
}
