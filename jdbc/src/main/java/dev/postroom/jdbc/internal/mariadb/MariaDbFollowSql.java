package dev.postroom.jdbc.internal.mariadb;

import dev.postroom.jdbc.internal.follow.HolderRows;
import dev.postroom.jdbc.internal.portable.FollowSql;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Reading for followers in MariaDB. Keys are looked up in an index first and their rows then by primary key, in this order whatever the
 * optimizer thinks of it: its estimates date from when the table was empty, or full.
 */
final class MariaDbFollowSql implements FollowSql {
    private static final String MESSAGE = """
            m.id, m.lane, m.seq, m.state, m.tenant, m.topic, m.ordering_key, m.type, m.content_type, m.content_encoding,
                CASE WHEN OCTET_LENGTH(m.headers) <= ? THEN m.headers END AS headers,
                m.source, m.only_destination, m.created_at, m.due, m.attempts, m.crashes, m.completed, m.released, m.version,
                CASE WHEN OCTET_LENGTH(m.payload) > ? THEN OCTET_LENGTH(m.payload) END AS payload_bytes,
                CASE WHEN OCTET_LENGTH(m.payload) <= ? THEN m.payload END AS payload,
                {held} AS held,
                CASE WHEN OCTET_LENGTH(m.headers) > ? THEN OCTET_LENGTH(m.headers) END AS headers_bytes,
                m.stream, NOT m.holds AS skips
            """;

    private static final String HELD = """
            m.stream IS NOT NULL AND NOT m.released AND EXISTS (
                    SELECT 1 FROM postroom_message h FORCE INDEX (stream)
                    WHERE h.stream = m.stream AND h.standing = 1 AND h.seq < m.seq)""";

    private static final String BY_KEYS = """
            SELECT {message}, k.place
            FROM ({keys}) k STRAIGHT_JOIN postroom_message m ON m.seq = k.seq
            """;

    private static final String RANGE = """
            (SELECT {place} AS place, seq FROM postroom_message FORCE INDEX (forward)
             WHERE state = 0 AND lane = ? AND seq > ? AND seq <= ?
             ORDER BY state, lane, seq LIMIT ?)
            """;

    private static final String DUE = """
            (SELECT -1 AS place, seq FROM postroom_message FORCE INDEX (due)
             WHERE due_lane = ? AND due <= UTC_TIMESTAMP(6) AND due >= ? AND (due > ? OR seq > ?)
             ORDER BY due, seq LIMIT ?)
            """;

    private static final String SWEEP = """
            (SELECT m.id, m.lane, m.seq, NULL AS state, m.tenant, m.topic, m.ordering_key, m.type, NULL AS content_type,
                NULL AS content_encoding, NULL AS headers, NULL AS source, m.only_destination, NULL AS created_at, NULL AS due,
                NULL AS attempts, NULL AS crashes, m.completed, m.released, NULL AS version, NULL AS payload_bytes, NULL AS payload,
                NULL AS held, NULL AS headers_bytes, m.stream, NULL AS skips, -10 AS place
             FROM postroom_message m FORCE INDEX (forward)
             WHERE m.state = 0 AND ({spans})
             ORDER BY m.state, m.lane, m.seq LIMIT ?)
            """;

    private static final String FACTS = """
            SELECT NULL AS id, NULL AS lane, {last} AS seq, NULL AS state, NULL AS tenant, NULL AS topic, NULL AS ordering_key, NULL AS type,
                NULL AS content_type, NULL AS content_encoding, NULL AS headers, NULL AS source, NULL AS only_destination,
                UTC_TIMESTAMP(6) AS created_at, NULL AS due, NULL AS attempts, NULL AS crashes, NULL AS completed, NULL AS released,
                NULL AS version, NULL AS payload_bytes, NULL AS payload, NULL AS held, NULL AS headers_bytes,
                NULL AS stream, NULL AS skips, -2 AS place
            """;

    private static final String LAST = "(SELECT COALESCE(MAX(seq), 0) FROM postroom_message)";

    private static final String OF_STREAM = """
            (SELECT {place} AS place, seq FROM postroom_message FORCE INDEX (stream)
             WHERE standing = {standing} AND stream = ? AND seq > ?
             ORDER BY standing, stream, seq LIMIT ?)
            """;

    /** What is to be sent, what holds it, and what is delayed. */
    private static final List<Integer> ORDERED = List.of(0, 1, 3);

    private static final String BY_SEQS = """
            SELECT {message}, 0 AS place
            FROM postroom_message m FORCE INDEX (PRIMARY)
            WHERE m.seq IN ({seqs}) AND m.state < {states}
            """;

    private static final String HOLDERS = """
            (SELECT stream, seq, topic, only_destination, completed FROM postroom_message FORCE INDEX (stream)
             WHERE standing = 1 AND stream = ?
             ORDER BY standing, stream, seq LIMIT {most})
            """;

    /** With the seq as a constant, MariaDB goes right to the place; compared with a column, it would scan the stream. */
    private static final String EARLIER = """
            (SELECT ? AS place, seq, topic, only_destination, completed FROM postroom_message FORCE INDEX (stream)
             WHERE stream = ? AND standing = 0 AND seq < ?
             ORDER BY standing DESC, stream DESC, seq DESC LIMIT ?)
            """;

    private static final String PROBING = MESSAGE.replace("{held}", HELD);
    private static final String KNOWING = MESSAGE.replace("{held}", "NULL");

    @Override
    public String page(int ranges, int dueLanes, int spans) {
        List<String> keys = new ArrayList<>();
        for (int n = 1; n <= ranges; n++) {
            keys.add(RANGE.replace("{place}", String.valueOf(n)));
        }
        keys.addAll(Collections.nCopies(dueLanes, DUE));
        if (keys.isEmpty()) {
            keys.add("SELECT 0 AS place, 0 AS seq FROM DUAL WHERE FALSE\n");
        }
        String sweep = spans == 0
                ? ""
                : "UNION ALL "
                        + SWEEP.replace(
                                "{spans}",
                                String.join(
                                        "\n    OR ",
                                        Collections.nCopies(spans, "m.lane = ? AND m.seq > ? AND m.seq <= ?")));
        return byKeys(PROBING, keys) + sweep + "UNION ALL " + FACTS.replace("{last}", LAST);
    }

    private static String byKeys(String message, List<String> keys) {
        return BY_KEYS.replace("{message}", message).replace("{keys}", String.join("UNION ALL ", keys));
    }

    @Override
    public String streams(int streams) {
        List<String> keys = new ArrayList<>();
        for (int n = 1; n <= streams; n++) {
            for (int standing : ORDERED) {
                keys.add(OF_STREAM
                        .replace("{place}", String.valueOf(n))
                        .replace("{standing}", String.valueOf(standing)));
            }
        }
        return byKeys(KNOWING, keys) + "UNION ALL " + FACTS.replace("{last}", "NULL");
    }

    @Override
    public String fetch(int seqs) {
        return BY_SEQS.replace("{message}", PROBING)
                .replace("{seqs}", places(seqs))
                .replace("{states}", "3");
    }

    @Override
    public String load(int seqs) {
        return BY_SEQS.replace("{message}", KNOWING)
                .replace("{seqs}", places(seqs))
                .replace("{states}", "4");
    }

    private static String places(int count) {
        return String.join(", ", Collections.nCopies(count, "?"));
    }

    @Override
    public String holders(int streams) {
        String each = HOLDERS.replace("{most}", String.valueOf(HolderRows.MOST));
        return String.join("UNION ALL ", Collections.nCopies(streams, each));
    }

    @Override
    public String earlier(int rows) {
        return String.join("UNION ALL ", Collections.nCopies(rows, EARLIER));
    }
}
