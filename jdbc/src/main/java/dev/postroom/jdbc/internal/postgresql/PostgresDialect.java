package dev.postroom.jdbc.internal.postgresql;

import dev.postroom.SchemaException;
import dev.postroom.jdbc.internal.Migrations;
import dev.postroom.jdbc.internal.PostgresPooler;
import dev.postroom.jdbc.internal.SqlNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** DDL is transactional here, and the lock ends with the transaction: a migration happens wholly or not at all. */
final class PostgresDialect implements Migrations.Dialect {
    private static final String OTHER_CREATORS = """
            SELECT CASE WHEN a.grantee = 0::oid THEN 'PUBLIC' ELSE pg_get_userbyid(a.grantee)::text END AS role
            FROM pg_namespace n CROSS JOIN LATERAL aclexplode(n.nspacl) a
            WHERE n.nspname::text = ?::text AND a.privilege_type = 'CREATE'::text AND a.grantee <> n.nspowner
              AND a.grantee <> coalesce(
                  (SELECT c.relowner FROM pg_class c WHERE c.oid = to_regclass('postroom_schema'::text)::oid), n.nspowner)
            ORDER BY role
            """;

    private static final String FOREIGN_LANES = """
            SELECT EXISTS (SELECT 1 FROM postroom_schema
                           WHERE hashing <> hashtextextended(getdatabaseencoding()::text, 0::bigint))
            """;

    /** Writers may go on meanwhile: what they write has its stream and lane already. */
    private static final String COMPUTE_LANES = """
            UPDATE postroom_message
            SET stream = postroom_stream_of(tenant, ordering_key),
                lane = postroom_lane_of(tenant, postroom_stream_of(tenant, ordering_key), id)
            WHERE stream IS DISTINCT FROM postroom_stream_of(tenant, ordering_key)
               OR lane <> postroom_lane_of(tenant, postroom_stream_of(tenant, ordering_key), id)
            """;

    private static final String REMEMBER_HASHING = """
            UPDATE postroom_schema SET hashing = hashtextextended(getdatabaseencoding()::text, 0::bigint)
            """;

    private final SqlNames names;
    private final @Nullable PostgresPooler pooler;

    PostgresDialect(SqlNames names, @Nullable PostgresPooler pooler) {
        this.names = names;
        this.pooler = pooler;
    }

    @Override
    public String folder() {
        return "postgresql";
    }

    @Override
    public void lock(Connection connection) throws SQLException {
        if (pooler != null) {
            pooler.takeOver(connection);
        }
        String schema = schema(connection);
        try (PreparedStatement lock = connection.prepareStatement(
                "SELECT pg_advisory_xact_lock(pg_catalog.hashtextextended(?::text, 0::bigint))")) {
            lock.setString(
                    1, "postroom migration " + schema + "." + names.names().prefix());
            lock.execute();
        }
        try (Statement path = connection.createStatement()) {
            // pg_temp last, or a temporary table could take the place of one of ours.
            path.execute("SET LOCAL search_path TO \"" + schema.replace("\"", "\"\"") + "\", pg_temp");
        }
    }

    private String schema(Connection connection) throws SQLException {
        String configured = names.names().schema();
        try (PreparedStatement find = connection.prepareStatement(
                "SELECT nspname FROM pg_namespace WHERE nspname::text = coalesce(?::text, current_schema()::text)")) {
            find.setString(1, configured);
            try (ResultSet row = find.executeQuery()) {
                if (row.next()) {
                    return row.getString(1);
                }
            }
        }
        throw new SchemaException(
                configured == null
                        ? "the connection has no current schema: give one with postroom.database.schema"
                        : "the schema " + configured + " does not exist: CREATE SCHEMA " + configured
                                + ", or change postroom.database.schema");
    }

    @Override
    public void unlock(Connection connection) throws SQLException {
        // The lock itself has ended with the transaction.
        if (pooler != null) {
            pooler.handBack(connection);
        }
    }

    @Override
    public int version(Connection connection) throws SQLException {
        // No prepared statements: health asks again and again, and behind a pooler the server's would not be there.
        try (Statement statement = connection.createStatement()) {
            try (ResultSet row =
                    statement.executeQuery(names.in("SELECT to_regclass('postroom_schema'::text) IS NOT NULL"))) {
                if (!row.next() || !row.getBoolean(1)) {
                    return 0;
                }
            }
            try (ResultSet row =
                    statement.executeQuery(names.in("SELECT coalesce(max(version), 0) FROM postroom_schema"))) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    @Override
    public void record(Connection connection, int version, String script) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(names.in("INSERT INTO postroom_schema (version, script) VALUES (?, ?)"))) {
            statement.setInt(1, version);
            statement.setString(2, script);
            statement.executeUpdate();
        }
    }

    @Override
    public boolean hasForeignLanes(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(names.in(FOREIGN_LANES))) {
            return row.next() && row.getBoolean(1);
        }
    }

    @Override
    public void computeLanes(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(names.in(COMPUTE_LANES));
            statement.executeUpdate(names.in(REMEMBER_HASHING));
        }
    }

    @Override
    public boolean undoesFailedScripts() {
        return true;
    }

    @Override
    public List<String> otherCreators(Connection connection) throws SQLException {
        List<String> roles = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(names.in(OTHER_CREATORS))) {
            statement.setString(1, schema(connection));
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    roles.add(row.getString("role"));
                }
            }
        }
        return roles;
    }

    /** pg_temp last, as in {@link #lock}: functions keep the path that they are made with. */
    @Override
    public String printedBefore() {
        String schema = names.names().schema();
        return schema == null
                ? "SELECT set_config('search_path'::text, quote_ident(current_schema()::text) || ', pg_temp'::text, false);\n\n"
                : "SET search_path TO " + schema + ", pg_temp;\n\n";
    }

    @Override
    public String grants(String role, String grantee) {
        return PostgresGrants.of(role, grantee, names);
    }
}
