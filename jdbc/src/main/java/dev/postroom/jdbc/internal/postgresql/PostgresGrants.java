package dev.postroom.jdbc.internal.postgresql;

import dev.postroom.SchemaException;
import dev.postroom.jdbc.internal.SqlNames;

/** The least that each role needs. Operators work with the relay's rights. */
final class PostgresGrants {
    private static final String WRITER = """
            GRANT SELECT (version) ON postroom_schema TO {grantee};
            GRANT INSERT (id, tenant, topic, ordering_key, type, content_type, content_encoding, headers, payload,
                available_at, source, stream, lane, trusted) ON postroom_message TO {grantee};
            GRANT SELECT (id, lane, seq) ON postroom_message TO {grantee};
            GRANT SELECT (id) ON postroom_archive TO {grantee};
            GRANT USAGE ON SEQUENCE postroom_seq TO {grantee};
            GRANT SELECT, INSERT ON postroom_dedup TO {grantee};
            """;

    private static final String CONSUMER = """
            GRANT SELECT (version) ON postroom_schema TO {grantee};
            GRANT INSERT (consumer, message_id) ON postroom_inbox TO {grantee};
            """;

    private static final String RELAY = """
            GRANT SELECT ON postroom_schema TO {grantee};
            GRANT SELECT, INSERT, UPDATE, DELETE ON postroom_message TO {grantee};
            GRANT SELECT, USAGE ON SEQUENCE postroom_seq TO {grantee};
            GRANT SELECT, INSERT, DELETE ON postroom_archive TO {grantee};
            GRANT SELECT ON postroom_archive_default TO {grantee};
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
            GRANT SELECT ON postroom_readable TO {grantee};
            GRANT EXECUTE ON FUNCTION postroom_archive_prepare(), postroom_archive_drop(interval),
                postroom_audit_purge(interval, integer) TO {grantee};
            """;

    private PostgresGrants() {}

    static String of(String role, String grantee, SqlNames names) {
        if (!grantee.matches("[a-z_][a-z0-9_$]{0,62}")) {
            throw new SchemaException("the grantee must be a plain lower-case role name (was '" + grantee + "')");
        }
        String schema = names.names().schema();
        String place = schema == null ? "public" : schema;
        String usage = (schema == null ? "-- public stands for the schema that the tables are in\n" : "")
                + "GRANT USAGE ON SCHEMA " + place + " TO {grantee};\n";
        String text = switch (role) {
            case "writer" -> usage + WRITER;
            case "consumer" -> usage + CONSUMER;
            case "relay" -> usage + RELAY;
            default -> "GRANT USAGE, CREATE ON SCHEMA " + place + " TO {grantee};\n";
        };
        return names.in(text).replace("{grantee}", grantee);
    }
}
