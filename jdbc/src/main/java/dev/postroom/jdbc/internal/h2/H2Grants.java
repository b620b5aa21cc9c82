package dev.postroom.jdbc.internal.h2;

import dev.postroom.SchemaException;
import dev.postroom.jdbc.internal.SqlNames;

/** The least that each role needs. Operators work with the relay's rights. */
final class H2Grants {
    /** H2 has no rights per column, and returning what was inserted needs SELECT. */
    private static final String WRITER = """
            GRANT SELECT ON postroom_schema TO {grantee};
            GRANT SELECT, INSERT ON postroom_message TO {grantee};
            GRANT SELECT ON postroom_archive TO {grantee};
            GRANT SELECT, INSERT ON postroom_dedup TO {grantee};
            """;

    private static final String CONSUMER = """
            GRANT SELECT ON postroom_schema TO {grantee};
            GRANT SELECT, INSERT ON postroom_inbox TO {grantee};
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
            GRANT SELECT, INSERT, DELETE ON postroom_audit TO {grantee};
            GRANT SELECT ON postroom_readable TO {grantee};
            """;

    /** H2 lets nobody else create tables in a schema that is not theirs. */
    private static final String MIGRATOR = """
            GRANT ALTER ANY SCHEMA TO {grantee};
            GRANT SELECT, INSERT, UPDATE, DELETE ON SCHEMA {schema} TO {grantee};
            """;

    private H2Grants() {}

    static String of(String role, String grantee, SqlNames names) {
        if (!grantee.matches("[A-Za-z_][A-Za-z0-9_]{0,127}")) {
            throw new SchemaException("the grantee must be a plain user or role name (was '" + grantee + "')");
        }
        String text = switch (role) {
            case "writer" -> WRITER;
            case "consumer" -> CONSUMER;
            case "relay" -> RELAY;
            default -> MIGRATOR;
        };
        String schema = names.names().schema();
        return names.in(text)
                .replace("{schema}", schema == null ? "PUBLIC" : schema)
                .replace("{grantee}", grantee);
    }
}
