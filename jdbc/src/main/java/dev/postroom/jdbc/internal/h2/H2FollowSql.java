package dev.postroom.jdbc.internal.h2;

import dev.postroom.jdbc.internal.follow.HolderRows;
import dev.postroom.jdbc.internal.portable.FollowSql;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Reading for followers in H2. Parameters are numbered, because the first four are used by every part. */
final class H2FollowSql implements FollowSql {
    private static final String MESSAGE = """
            SELECT m.id, m.lane, m.seq, m.state, m.tenant, m.topic, m.ordering_key, m.type, m.content_type, m.content_encoding,
                CASE WHEN OCTET_LENGTH(m.headers) <= ?1 THEN m.headers END AS headers, m.source, m.only_destination, m.created_at, m.due, m.attempts,
                m.crashes, m.completed, m.released, m.version,
                CASE WHEN OCTET_LENGTH(m.payload) > ?2 THEN OCTET_LENGTH(m.payload) END AS payload_bytes,
                CASE WHEN OCTET_LENGTH(m.payload) <= ?3 THEN m.payload END AS payload,
                {held} AS held,
                CASE WHEN OCTET_LENGTH(m.headers) > ?4 THEN OCTET_LENGTH(m.headers) END AS headers_bytes,
                m.stream, NOT m.holds AS skips, CAST({place} AS BIGINT) AS place
            FROM postroom_message m
            """;

    private static final String HELD = """
            m.stream IS NOT NULL AND NOT m.released AND EXISTS (
                    SELECT 1 FROM postroom_message h
                    WHERE h.standing = 1 AND h.stream = m.stream AND h.seq < m.seq)""";

    private static final String RANGE = """
            WHERE m.state = 0 AND m.lane = ?%d AND m.seq > ?%d AND m.seq <= ?%d
             ORDER BY m.state, m.lane, m.seq LIMIT ?%d)
            """;

    private static final String DUE = """
            WHERE m.lane = ?%d AND m.due <= CURRENT_TIMESTAMP(6) AND m.due >= ?%d AND (m.due > ?%d OR m.seq > ?%d)
             ORDER BY m.lane, m.due, m.seq LIMIT ?%d)
            """;

    private static final String SWEEP = """
            (SELECT m.id, m.lane, m.seq, CAST(NULL AS SMALLINT), m.tenant, m.topic, m.ordering_key, m.type, CAST(NULL AS VARCHAR),
                CAST(NULL AS VARCHAR), CAST(NULL AS VARCHAR), CAST(NULL AS VARCHAR), m.only_destination,
                CAST(NULL AS TIMESTAMP(6) WITH TIME ZONE), CAST(NULL AS TIMESTAMP(6) WITH TIME ZONE), CAST(NULL AS INTEGER),
                CAST(NULL AS INTEGER), m.completed, m.released, CAST(NULL AS INTEGER), CAST(NULL AS BIGINT), CAST(NULL AS VARBINARY),
                CAST(NULL AS BOOLEAN), CAST(NULL AS BIGINT), m.stream, CAST(NULL AS BOOLEAN), CAST(-10 AS BIGINT)
             FROM postroom_message m
             WHERE m.state = 0 AND m.lane = ?%d AND m.seq > ?%d AND m.seq <= ?%d
             ORDER BY m.state, m.lane, m.seq LIMIT ?{limit})
            """;

    private static final String FACTS = """
            SELECT CAST(NULL AS UUID), CAST(NULL AS SMALLINT), COALESCE((SELECT MAX(seq) FROM postroom_message), 0),
                CAST(NULL AS SMALLINT), CAST(NULL AS VARCHAR), CAST(NULL AS VARCHAR), CAST(NULL AS VARCHAR), CAST(NULL AS VARCHAR),
                CAST(NULL AS VARCHAR), CAST(NULL AS VARCHAR), CAST(NULL AS VARCHAR), CAST(NULL AS VARCHAR), CAST(NULL AS VARCHAR),
                CURRENT_TIMESTAMP(6), CAST(NULL AS TIMESTAMP(6) WITH TIME ZONE), CAST(NULL AS INTEGER), CAST(NULL AS INTEGER),
                CAST(NULL AS BIGINT), CAST(NULL AS BOOLEAN), CAST(NULL AS INTEGER), CAST(NULL AS BIGINT), CAST(NULL AS VARBINARY),
                CAST(NULL AS BOOLEAN), CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), CAST(NULL AS BOOLEAN),
                CAST(-2 AS BIGINT)
            """;

    private static final String OF_STREAM = """
            WHERE m.standing = %d AND m.stream = ?%d AND m.seq > ?%d
             ORDER BY m.standing, m.stream, m.seq LIMIT ?%d)
            """;

    private static final String HOLDERS = """
            (SELECT stream, seq, topic, only_destination, completed FROM postroom_message
             WHERE standing = 1 AND stream = ?
             ORDER BY standing, stream, seq LIMIT {most})
            """;

    private static final String EARLIER = """
            (SELECT CAST(? AS BIGINT) AS place, seq, topic, only_destination, completed FROM postroom_message
             WHERE standing = 0 AND stream = ? AND seq < ?
             ORDER BY standing DESC, stream DESC, seq DESC LIMIT ?)
            """;

    /** What is to be sent, what holds it, and what is delayed. */
    private static final List<Integer> ORDERED = List.of(0, 1, 3);

    private static final String PROBING = MESSAGE.replace("{held}", HELD);
    private static final String KNOWING = MESSAGE.replace("{held}", "CAST(NULL AS BOOLEAN)");

    /** The first parameter behind those that all parts share. */
    private static final int FIRST = 5;

    private static final int OF_RANGE = 4;
    private static final int OF_DUE = 5;
    private static final int OF_SPAN = 3;

    @Override
    public String page(int ranges, int dueLanes, int spans) {
        List<String> parts = new ArrayList<>();
        int next = FIRST;
        for (int n = 1; n <= ranges; n++, next += OF_RANGE) {
            parts.add(at(PROBING, n) + RANGE.formatted(next, next + 1, next + 2, next + 3));
        }
        for (int n = 0; n < dueLanes; n++, next += OF_DUE) {
            parts.add(at(PROBING, -1) + DUE.formatted(next, next + 1, next + 2, next + 3, next + 4));
        }
        String limit = String.valueOf(next + OF_SPAN * spans);
        for (int n = 0; n < spans; n++, next += OF_SPAN) {
            parts.add(SWEEP.formatted(next, next + 1, next + 2).replace("{limit}", limit));
        }
        if (ranges + dueLanes == 0) {
            parts.add(at(PROBING, 0) + "WHERE FALSE)\n");
        }
        parts.add(FACTS);
        return String.join("UNION ALL ", parts);
    }

    private static String at(String message, int place) {
        return "(" + message.replace("{place}", String.valueOf(place));
    }

    @Override
    public String streams(int streams) {
        List<String> parts = new ArrayList<>();
        int next = FIRST;
        for (int n = 1; n <= streams; n++) {
            for (int standing : ORDERED) {
                parts.add(at(KNOWING, n) + OF_STREAM.formatted(standing, next, next + 1, next + 2));
                next += OF_SPAN;
            }
        }
        parts.add(FACTS);
        return String.join("UNION ALL ", parts);
    }

    @Override
    public String fetch(int seqs) {
        return PROBING.replace("{place}", "0") + "WHERE m.seq IN (" + parameters(seqs) + ") AND m.state < 3\n";
    }

    @Override
    public String load(int seqs) {
        return KNOWING.replace("{place}", "0") + "WHERE m.seq IN (" + parameters(seqs) + ")\n";
    }

    private static String parameters(int count) {
        return IntStream.range(FIRST, FIRST + count).mapToObj(n -> "?" + n).collect(Collectors.joining(", "));
    }

    @Override
    public String holders(int streams) {
        String each = HOLDERS.replace("{most}", String.valueOf(HolderRows.MOST));
        return String.join("UNION ALL ", java.util.Collections.nCopies(streams, each));
    }

    @Override
    public String earlier(int rows) {
        return String.join("UNION ALL ", java.util.Collections.nCopies(rows, EARLIER));
    }
}
