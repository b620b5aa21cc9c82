package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.StorageFacts;
import dev.postroom.operations.StorageFacts.Partition;
import dev.postroom.operations.StorageFacts.Table;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How the tables lie in PostgreSQL. */
final class PostgresStorage {
    private static final int MOST_PARTITIONS = 500;
    private static final Pattern DAY = Pattern.compile("_p(\\d{8})$");

    private static final String TABLES = """
            SELECT c.relname AS name, greatest(c.reltuples, 0)::bigint AS row_count,
                pg_catalog.pg_total_relation_size(c.oid) AS bytes, coalesce(s.n_dead_tup, 0) AS dead_rows
            FROM pg_catalog.unnest(ARRAY['postroom_message', 'postroom_attempt', 'postroom_dedup', 'postroom_inbox', 'postroom_audit',
                'postroom_lane', 'postroom_node']) AS t(name)
            JOIN pg_class c ON c.oid = to_regclass(t.name)::oid
            LEFT JOIN pg_stat_all_tables s ON s.relid = c.oid
            """;

    private static final String PARTITIONS = """
            SELECT c.relname AS name, greatest(c.reltuples, 0)::bigint AS row_count,
                pg_catalog.pg_total_relation_size(c.oid) AS bytes, coalesce(s.n_dead_tup, 0) AS dead_rows
            FROM pg_inherits i
            JOIN pg_class c ON c.oid = i.inhrelid
            LEFT JOIN pg_stat_all_tables s ON s.relid = c.oid
            WHERE i.inhparent = to_regclass('postroom_archive'::text)::oid
            ORDER BY c.relname
            LIMIT ?
            """;

    private static final String OLDEST = """
            SELECT extract(epoch FROM clock_timestamp() - a.xact_start) AS seconds, a.pid, a.usename, a.application_name,
                a.state
            FROM pg_stat_activity a
            WHERE a.datname = current_database() AND a.pid <> pg_backend_pid() AND a.xact_start IS NOT NULL
            ORDER BY a.xact_start
            LIMIT 1
            """;

    private PostgresStorage() {}

    static StorageFacts ask(Statements statements) throws SQLException {
        List<Table> tables = new ArrayList<>(statements.all(TABLES, List.of(), PostgresStorage::table));
        List<Table> parts = statements.all(PARTITIONS, List.of(MOST_PARTITIONS), PostgresStorage::table);
        tables.add(Math.min(1, tables.size()), archive(statements, parts));
        List<Oldest> oldest = statements.all(OLDEST, List.of(), PostgresStorage::oldest);
        return new StorageFacts(
                List.copyOf(tables),
                oldest.isEmpty() ? null : oldest.get(0).seconds,
                oldest.isEmpty() ? null : oldest.get(0).whose,
                parts.stream().map(PostgresStorage::partition).toList());
    }

    private static Table table(ResultSet row) throws SQLException {
        return new Table(
                row.getString("name"), row.getLong("row_count"), row.getLong("bytes"), row.getLong("dead_rows"));
    }

    private static Table archive(Statements statements, List<Table> parts) {
        long rows = 0;
        long bytes = 0;
        long dead = 0;
        for (Table part : parts) {
            rows += part.rows();
            bytes += orNone(part.bytes());
            dead += orNone(part.deadRows());
        }
        return new Table(statements.tableNames().prefix() + "archive", rows, bytes, dead);
    }

    private static long orNone(@Nullable Long number) {
        return number == null ? 0 : number;
    }

    private static Partition partition(Table part) {
        Matcher day = DAY.matcher(part.name());
        if (!day.find()) {
            return new Partition(part.name(), null, null, part.rows(), part.bytes());
        }
        LocalDate date = LocalDate.parse(day.group(1), DateTimeFormatter.BASIC_ISO_DATE);
        return new Partition(part.name(), start(date), start(date.plusDays(1)), part.rows(), part.bytes());
    }

    private static Instant start(LocalDate day) {
        return day.atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    private static Oldest oldest(ResultSet row) throws SQLException {
        String whose = "process " + row.getInt("pid") + ", user " + row.getString("usename") + ", application '"
                + row.getString("application_name") + "', " + row.getString("state");
        return new Oldest(Math.max(0, row.getDouble("seconds")), whose);
    }

    private record Oldest(double seconds, String whose) {}
}
