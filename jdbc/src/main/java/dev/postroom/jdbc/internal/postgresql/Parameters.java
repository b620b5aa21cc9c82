package dev.postroom.jdbc.internal.postgresql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Binds a statement's parameters one after the other. */
final class Parameters {
    private final Connection connection;
    private final PreparedStatement statement;
    private int index;

    Parameters(Connection connection, PreparedStatement statement) {
        this.connection = connection;
        this.statement = statement;
    }

    void array(String type, @Nullable Object[] values) throws SQLException {
        statement.setArray(++index, connection.createArrayOf(type, values));
    }

    void number(long value) throws SQLException {
        statement.setLong(++index, value);
    }

    void text(@Nullable String value) throws SQLException {
        statement.setString(++index, value);
    }
}
