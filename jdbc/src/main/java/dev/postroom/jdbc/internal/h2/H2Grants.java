package dev.postroom.jdbc.internal.h2;

/** What each role needs, and nothing more. */
final class H2Grants {
    /** H2 has no rights per column, and returning what was inserted needs SELECT. */
    static final String WRITER = """
            GRANT SELECT, INSERT ON postroom_message TO <grantee>;
            GRANT SELECT, INSERT ON postroom_dedup TO <grantee>;
            GRANT SELECT, INSERT ON postroom_inbox TO <grantee>;
            GRANT SELECT ON postroom_schema TO <grantee>;
            """;

    /** Also what operators do: the relay's server offers it. */
    static final String RELAY = """
            GRANT SELECT, INSERT, UPDATE, DELETE ON postroom_message TO <grantee>;
            GRANT SELECT, INSERT, DELETE ON postroom_archive TO <grantee>;
            GRANT SELECT, INSERT, DELETE ON postroom_attempt TO <grantee>;
            GRANT SELECT, INSERT, DELETE ON postroom_dedup TO <grantee>;
            GRANT SELECT, UPDATE ON postroom_lane TO <grantee>;
            GRANT SELECT, INSERT, UPDATE, DELETE ON postroom_node TO <grantee>;
            GRANT SELECT, INSERT ON postroom_destination TO <grantee>;
            GRANT SELECT, INSERT, UPDATE, DELETE ON postroom_pause TO <grantee>;
            GRANT SELECT, INSERT, DELETE ON postroom_inbox TO <grantee>;
            GRANT SELECT, INSERT, DELETE ON postroom_audit TO <grantee>;
            GRANT SELECT ON postroom_schema TO <grantee>;
            GRANT SELECT ON postroom_readable TO <grantee>;
            """;

    static final String MIGRATOR = """
            GRANT ALTER ANY SCHEMA TO <grantee>;
            GRANT SELECT, INSERT, UPDATE, DELETE ON SCHEMA <schema> TO <grantee>;
            """;

    private H2Grants() {}
}
