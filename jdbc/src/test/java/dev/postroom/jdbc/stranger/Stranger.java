package dev.postroom.jdbc.stranger;

import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A role without any grants, in a database where everybody may create in {@code public}, as up to PostgreSQL 14 by default. It offers a
 * better match for whatever is called with types that are not exactly those of the server's own function or operator: whoever is caught
 * runs the stranger's code with the rights of the caller. Each such call raises an error, and is counted in a sequence too, which no
 * exception handler and no rollback hides.
 */
public final class Stranger {
    private static final List<String> SCALARS = List.of(
            "text",
            "varchar",
            "name",
            "bpchar",
            "\"char\"",
            "smallint",
            "integer",
            "bigint",
            "double precision",
            "numeric",
            "boolean",
            "uuid",
            "bytea",
            "json",
            "timestamptz",
            "date",
            "interval",
            "oid",
            "regclass");

    private static final List<String> ARRAYS =
            List.of("text[]", "uuid[]", "bigint[]", "smallint[]", "integer[]", "boolean[]", "bytea[]");

    private static final List<String> COMPARISONS = List.of("=", "<>", "<", "<=", ">", ">=", "~", "~~");
    private static final List<String> CALCULATIONS = List.of("+", "-", "*", "&", "|", "||");

    private static final List<String> UNARY = List.of(
            "nextval",
            "to_regclass",
            "pg_total_relation_size",
            "pg_sequence_last_value",
            "pg_advisory_xact_lock",
            "current_setting",
            "octet_length",
            "length",
            "lower",
            "chr",
            "unnest",
            "quote_ident",
            "json_typeof",
            "json_each",
            "make_interval");

    private static final List<String> BINARY = List.of(
            "hashtextextended",
            "uuid_hash_extended",
            "to_char",
            "to_date",
            "left",
            "right",
            "encode",
            "convert_from",
            "format",
            "has_schema_privilege",
            "generate_series");

    /** The types of what is put into a text, as {@code format} gets it. */
    private static final List<String> FORMATTED = List.of("text", "name", "timestamptz", "date");

    /** Whatever a driver or a foreign writer may take for text. */
    private static final List<String> TEXTS = List.of("text", "varchar", "name");

    private final TestDatabase database;

    private Stranger(TestDatabase database) {
        this.database = database;
    }

    /** Makes everything that could catch a call, before or after there are tables of ours. */
    public static Stranger in(TestDatabase database) throws SQLException {
        String role = "stranger_" + UUID.randomUUID().toString().substring(0, 8);
        try (Connection owner = database.connect();
                Statement statement = owner.createStatement()) {
            statement.execute("CREATE ROLE " + role + " LOGIN PASSWORD 'pw'");
        }
        try (Connection connection = DriverManager.getConnection(database.url(), role, "pw");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SEQUENCE public.caught");
            statement.execute("GRANT ALL ON SEQUENCE public.caught TO PUBLIC");
            connection.setAutoCommit(false);
            functions(statement);
            operators(statement);
            aggregates(statement);
            connection.commit();
        }
        return new Stranger(database);
    }

    /** How often the stranger's code ran. */
    public long calls() throws SQLException {
        try (Connection owner = database.connect();
                Statement statement = owner.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT coalesce(last_value, 0), is_called FROM public.caught")) {
            row.next();
            return row.getBoolean(2) ? row.getLong(1) : 0;
        }
    }

    private static void functions(Statement statement) throws SQLException {
        for (String name : UNARY) {
            for (String type : SCALARS) {
                statement.addBatch(function(name, type, "bigint"));
            }
            for (String type : ARRAYS) {
                statement.addBatch(function(name, type, "bigint"));
            }
        }
        for (String name : BINARY) {
            for (String first : SCALARS) {
                for (String second : SCALARS) {
                    statement.addBatch(function(name, first + ", " + second, "bigint"));
                }
            }
        }
        for (String first : FORMATTED) {
            for (String second : FORMATTED) {
                statement.addBatch(function("format", "text, " + first + ", " + second, "text"));
                for (String third : FORMATTED) {
                    statement.addBatch(function("format", "text, " + first + ", " + second + ", " + third, "text"));
                }
            }
        }
        // Those that ours do not have: what is there already, a migration refuses to replace.
        statement.addBatch(function("postroom_text", "text", "text"));
        statement.addBatch(function("postroom_archive_drop", "text", "bigint"));
        for (String tenant : TEXTS) {
            for (String key : TEXTS) {
                String stream = tenant + ", " + key;
                if (!stream.equals("text, text")) {
                    statement.addBatch(function("postroom_stream_of", stream, "bigint"));
                }
            }
            for (String stream : List.of("smallint", "integer", "bigint", "numeric", "text")) {
                String row = tenant + ", " + stream;
                if (!row.equals("text, bigint")) {
                    statement.addBatch(function("postroom_lane_of", row + ", uuid", "smallint"));
                }
                statement.addBatch(function("postroom_lane_of", row + ", text", "smallint"));
            }
        }
        statement.executeBatch();
    }

    private static void operators(Statement statement) throws SQLException {
        for (String left : SCALARS) {
            for (String right : SCALARS) {
                String types = left + ", " + right;
                statement.addBatch(function("compared", types, "boolean"));
                statement.addBatch(function("calculated", types, left));
                for (String symbol : COMPARISONS) {
                    statement.addBatch(operator(symbol, "compared", left, right));
                }
                for (String symbol : CALCULATIONS) {
                    statement.addBatch(operator(symbol, "calculated", left, right));
                }
            }
        }
        statement.executeBatch();
    }

    private static void aggregates(Statement statement) throws SQLException {
        for (String type : SCALARS) {
            for (String name : List.of("count", "min", "max", "sum")) {
                statement.addBatch("CREATE AGGREGATE public." + name + "(" + type
                        + ") (SFUNC = public.calculated, STYPE = " + type + ")");
            }
        }
        statement.executeBatch();
    }

    private static String operator(String symbol, String function, String left, String right) {
        return "CREATE OPERATOR public." + symbol + " (FUNCTION = public." + function + ", LEFTARG = " + left
                + ", RIGHTARG = " + right + ")";
    }

    /** Immutable, or an index or a generated column would refuse what it was made to call. */
    private static String function(String name, String types, String returns) {
        String signature = name + "(" + types.replace("\"", "") + ")";
        return List.of(
                        "CREATE FUNCTION public.\"" + name + "\"(" + types + ") RETURNS " + returns,
                        "LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN",
                        "PERFORM pg_catalog.nextval('public.caught'::pg_catalog.regclass);",
                        "RAISE EXCEPTION 'caught by a stranger: " + signature + " as %', current_user;",
                        "END $$")
                .stream()
                .collect(Collectors.joining(" "));
    }
}
