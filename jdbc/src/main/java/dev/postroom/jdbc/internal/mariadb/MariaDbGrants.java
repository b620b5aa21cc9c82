package dev.postroom.jdbc.internal.mariadb;

import dev.postroom.SchemaException;
import dev.postroom.jdbc.internal.SqlNames;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The least that each role needs. Operators work with the relay's rights. */
final class MariaDbGrants {
    /** A user without a host is one who may come from everywhere. */
    private static final Pattern GRANTEE = Pattern.compile("([A-Za-z0-9_.$-]{1,80})(?:@([A-Za-z0-9_.%:/-]{1,255}))?");

    /**
     * For what RETURNING gives back, MariaDB asks for SELECT and for the statement's own right too: INSERT on the
     * message's lane and seq, which nobody can or should give, and UPDATE on all of a key.
     */
    private static final String WRITER = """
            GRANT SELECT (version) ON postroom_schema TO {grantee};
            GRANT INSERT (id, tenant, topic, ordering_key, type, content_type, content_encoding, headers, payload,
                available_at, source, lane, seq), SELECT (id, lane, seq) ON postroom_message TO {grantee};
            GRANT SELECT (id) ON postroom_archive TO {grantee};
            GRANT SELECT, INSERT, UPDATE ON postroom_dedup TO {grantee};
            GRANT EXECUTE ON PROCEDURE postroom_publish TO {grantee};
            """;

    /** ON DUPLICATE KEY UPDATE asks for UPDATE on what is inserted too. */
    private static final String CONSUMER = """
            GRANT SELECT (version) ON postroom_schema TO {grantee};
            GRANT SELECT, INSERT, UPDATE ON postroom_inbox TO {grantee};
            """;

    private static final String RELAY = """
            GRANT SELECT ON postroom_schema TO {grantee};
            GRANT SELECT, INSERT, UPDATE, DELETE ON postroom_message TO {grantee};
            GRANT SELECT, INSERT, DELETE ON postroom_archive TO {grantee};
            GRANT SELECT, INSERT, DELETE ON postroom_attempt TO {grantee};
            GRANT SELECT, DELETE ON postroom_dedup TO {grantee};
            GRANT SELECT, UPDATE ON postroom_lane TO {grantee};
            GRANT SELECT, INSERT, UPDATE, DELETE ON postroom_node TO {grantee};
            GRANT SELECT, INSERT, UPDATE ON postroom_destination TO {grantee};
            GRANT SELECT, INSERT, UPDATE, DELETE ON postroom_routing TO {grantee};
            GRANT SELECT, INSERT, UPDATE, DELETE ON postroom_pause TO {grantee};
            GRANT SELECT, DELETE ON postroom_inbox TO {grantee};
            GRANT SELECT, INSERT (actor, action_id, part, action, target, reason, matched, changed, failed, old_state, new_state)
                ON postroom_audit TO {grantee};
            GRANT EXECUTE ON PROCEDURE postroom_audit_purge TO {grantee};
            GRANT SELECT ON postroom_readable TO {grantee};
            """;

    private static final String MIGRATOR = """
            GRANT CREATE, ALTER, DROP, INDEX, CREATE VIEW, CREATE ROUTINE, ALTER ROUTINE, TRIGGER, SELECT, INSERT, UPDATE,
                DELETE
                ON {database}* TO {grantee};
            """;

    private MariaDbGrants() {}

    static String of(String role, String grantee, SqlNames names) {
        Matcher user = GRANTEE.matcher(grantee);
        if (!user.matches()) {
            throw new SchemaException("the grantee must be a plain user, or user@host (was '" + grantee + "')");
        }
        String text = switch (role) {
            case "writer" -> WRITER;
            case "consumer" -> CONSUMER;
            case "relay" -> RELAY;
            default -> MIGRATOR;
        };
        String schema = names.names().schema();
        String host = user.group(2) == null ? "%" : user.group(2);
        return names.in(text)
                .replace("{database}", schema == null ? "" : schema + ".")
                .replace("{grantee}", "'" + user.group(1) + "'@'" + host + "'");
    }
}
