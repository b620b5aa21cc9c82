package dev.postroom.jdbc.internal.operations;

import dev.postroom.jdbc.internal.Headers;
import dev.postroom.operations.Tenants;
import dev.postroom.spi.RowLimits;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Headers beside a list: those of a page are small, where its payloads would be megabytes. */
final class MessageHeaders {
    /** What one message of a list may have to be read: there are up to 500 on a page, and the page refreshes itself. */
    private static final int MOST_BYTES = 32 * 1024;

    private static final RowLimits READ_WHOLE = RowLimits.ofPayload(Integer.MAX_VALUE);

    /** CONCAT, because PostgreSQL's JSON has no length, and H2 and MariaDB call what they would cast it to differently. */
    private static final String COLUMNS = """
            CASE WHEN OCTET_LENGTH(CONCAT({t}.headers, '')) <= {most} THEN {t}.headers END AS headers,
                OCTET_LENGTH(CONCAT({t}.headers, '')) AS headers_bytes\
            """;

    private static final String READ = "SELECT x.id, {headers} FROM {table} x {along id} WHERE {where}";

    private MessageHeaders() {}

    /** The headers of a row with their length; without the headers themselves where they are longer than this. */
    static String columns(String table, long mostBytes) {
        return COLUMNS.replace("{t}", table).replace("{most}", Long.toString(mostBytes));
    }

    /** The {@link #columns(String, long)} of a row in a list. */
    static String listed(String table) {
        return columns(table, MOST_BYTES);
    }

    /** Null when they are too long. Headers that cannot be read never left, so that nobody can have quoted them. */
    static @Nullable Map<String, String> read(ResultSet row) throws SQLException {
        return row.getLong("headers_bytes") > MOST_BYTES
                ? null
                : Headers.read(row.getString("headers"), 0, READ_WHOLE).headers();
    }

    /** Looked for among the live ones first: a replayed message is in both tables, with the same headers. */
    static Map<UUID, Map<String, String>> of(Statements statements, List<UUID> ids, Tenants tenants)
            throws SQLException {
        Map<UUID, Map<String, String>> found = new HashMap<>();
        find("postroom_message", statements, ids, tenants, found);
        List<UUID> left = ids.stream().filter(id -> !found.containsKey(id)).toList();
        if (!left.isEmpty()) {
            find("postroom_archive", statements, left, tenants, found);
        }
        return found;
    }

    private static void find(
            String table, Statements statements, List<UUID> ids, Tenants tenants, Map<UUID, Map<String, String>> found)
            throws SQLException {
        Where where = new Where().andIn("x.id", ids).andTenants("x.tenant", tenants);
        String read = READ.replace("{headers}", listed("x")).replace("{table}", table);
        statements.all(where.in(read), where.values(), row -> {
            Map<String, String> headers = read(row);
            return headers == null || found.put(MessageItems.id(row, "id"), headers) == null;
        });
    }
}
