package dev.postroom.jdbc.internal.operations;

import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.Timestamps;
import dev.postroom.spi.StorableText;
import dev.postroom.spi.TableNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements on one transaction's connection: puts names in, binds values, maps rows. A statement may say
 * <code>{along forward}</code> behind a table's name where it must go along that index. Not thread-safe.
 */
final class Statements {
    private static final Pattern ALONG = Pattern.compile("\\{along (\\w+)}");

    private final Connection connection;
    private final SqlNames names;
    private final OperationsSql sql;
    private final Instant now;

    Statements(Connection connection, SqlNames names, OperationsSql sql) throws SQLException {
        this.connection = connection;
        this.names = names;
        this.sql = sql;
        this.now = one(sql.now(), List.of(), row -> timestamps().require(row, "db_now"));
    }

    /** Makes something of the row that the result stands on. */
    @FunctionalInterface
    interface Mapper<T> {
        T map(ResultSet row) throws SQLException;
    }

    /** The database's time when this transaction began. */
    Instant now() {
        return now;
    }

    /** The names of the tables, as the database's own catalogue has them. */
    TableNames tableNames() {
        return names.names();
    }

    Timestamps timestamps() {
        return sql.timestamps();
    }

    <T> List<T> all(String text, List<? extends @Nullable Object> values, Mapper<T> mapper) throws SQLException {
        try (PreparedStatement statement = prepare(text, values);
                ResultSet rows = statement.executeQuery()) {
            List<T> mapped = new ArrayList<>();
            while (rows.next()) {
                mapped.add(mapper.map(rows));
            }
            return mapped;
        }
    }

    /** For a statement that always returns a row. */
    <T> T one(String text, List<? extends @Nullable Object> values, Mapper<T> mapper) throws SQLException {
        List<T> rows = all(text, values, mapper);
        if (rows.isEmpty()) {
            throw new SQLException("a statement that always returns a row returned none");
        }
        return rows.get(0);
    }

    long count(String text, List<? extends @Nullable Object> values) throws SQLException {
        return one(text, values, row -> row.getLong(1));
    }

    int update(String text, List<? extends @Nullable Object> values) throws SQLException {
        try (PreparedStatement statement = prepare(text, values)) {
            return statement.executeUpdate();
        }
    }

    /** The same statement with each of these values, in one round trip; returns how many rows changed. */
    int updateEach(String text, List<? extends List<? extends @Nullable Object>> each) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(spelled(text))) {
            for (List<? extends @Nullable Object> values : each) {
                bind(statement, values);
                statement.addBatch();
            }
            int changed = 0;
            for (int count : statement.executeBatch()) {
                changed += Math.max(0, count);
            }
            return changed;
        }
    }

    /** Like {@link #updateEach}, for what MariaDB's driver cannot send as a batch: INSERT from a SELECT. */
    int updateOneByOne(String text, List<? extends List<? extends @Nullable Object>> each) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(spelled(text))) {
            int changed = 0;
            for (List<? extends @Nullable Object> values : each) {
                bind(statement, values);
                changed += statement.executeUpdate();
            }
            return changed;
        }
    }

    private PreparedStatement prepare(String text, List<? extends @Nullable Object> values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(spelled(text));
        try {
            bind(statement, values);
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    private String spelled(String text) {
        return names.in(ALONG.matcher(text).replaceAll(index -> sql.along(index.group(1))));
    }

    private void bind(PreparedStatement statement, List<? extends @Nullable Object> values) throws SQLException {
        int index = 0;
        for (Object value : values) {
            index++;
            if (value == null) {
                sql.setText(statement, index, null);
            } else if (value instanceof Instant instant) {
                timestamps().set(statement, index, instant);
            } else if (value instanceof UUID id) {
                sql.setId(statement, index, id);
            } else if (value instanceof String text) {
                sql.setText(statement, index, StorableText.of(text));
            } else {
                statement.setObject(index, value);
            }
        }
    }
}
