package dev.postroom.testkit.contract;

import dev.postroom.DatabaseException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The little JDBC that tests need, without checked exceptions. */
final class Sql {
    private Sql() {}

    static int update(Connection connection, String sql, @Nullable Object... parameters) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            set(statement, parameters);
            return statement.execute() ? 0 : statement.getUpdateCount();
        } catch (SQLException e) {
            throw failed(sql, e);
        }
    }

    static int update(DataSource dataSource, String sql, @Nullable Object... parameters) {
        try (Connection connection = dataSource.getConnection()) {
            return update(connection, sql, parameters);
        } catch (SQLException e) {
            throw failed(sql, e);
        }
    }

    /** The first column of every row, as text. */
    static List<@Nullable String> values(Connection connection, String sql, @Nullable Object... parameters) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            set(statement, parameters);
            List<@Nullable String> values = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    values.add(rows.getString(1));
                }
            }
            return values;
        } catch (SQLException e) {
            throw failed(sql, e);
        }
    }

    /** The first column of the only row, as text. */
    static @Nullable String value(Connection connection, String sql, @Nullable Object... parameters) {
        List<@Nullable String> values = values(connection, sql, parameters);
        if (values.size() != 1) {
            throw new AssertionError("expected one row, but there are " + values.size() + ": " + sql);
        }
        return values.get(0);
    }

    static @Nullable String value(DataSource dataSource, String sql, @Nullable Object... parameters) {
        try (Connection connection = dataSource.getConnection()) {
            return value(connection, sql, parameters);
        } catch (SQLException e) {
            throw failed(sql, e);
        }
    }

    private static void set(PreparedStatement statement, @Nullable Object... parameters) throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
    }

    private static DatabaseException failed(String sql, SQLException e) {
        return new DatabaseException(e.getMessage() + " in: " + sql, e);
    }
}
