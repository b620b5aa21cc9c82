package dev.postroom.jdbc.internal.mariadb;

/** What each role needs, and nothing more. */
final class MariaDbGrants {
    /** Columns it may read are those that INSERT … RETURNING gives back. */
    static final String WRITER = """
            GRANT INSERT, SELECT (id, lane, seq) ON postroom_message TO <grantee>;
            GRANT INSERT, SELECT, UPDATE (repeats) ON postroom_dedup TO <grantee>;
            GRANT INSERT, SELECT ON postroom_inbox TO <grantee>;
            GRANT SELECT ON postroom_schema TO <grantee>;
            GRANT EXECUTE ON PROCEDURE postroom_publish TO <grantee>;
            """;

    /** Also what operators do: the relay's server offers it. */
    static final String RELAY = """
            GRANT SELECT, INSERT, UPDATE, DELETE ON postroom_message TO <grantee>;
            GRANT SELECT, INSERT, DELETE ON postroom_archive TO <grantee>;
            GRANT SELECT, INSERT, DELETE ON postroom_attempt TO <grantee>;
            GRANT SELECT, INSERT, UPDATE (repeats), DELETE ON postroom_dedup TO <grantee>;
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
            GRANT CREATE, ALTER, DROP, INDEX, REFERENCES, CREATE VIEW, CREATE ROUTINE, ALTER ROUTINE,
                SELECT, INSERT, UPDATE, DELETE ON <database>.* TO <grantee>;
            """;

    private MariaDbGrants() {}
}
