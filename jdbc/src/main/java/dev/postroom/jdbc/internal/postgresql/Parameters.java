package dev.postroom.jdbc.internal.postgresql;

import dev.postroom.spi.StorableText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
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

    void texts(List<? extends @Nullable String> values) throws SQLException {
        array("text", values.stream().map(StorableText::ofNullable).toArray(String[]::new));
    }

    void ids(List<UUID> ids) throws SQLException {
        IdArray.bind(connection, statement, ++index, ids);
    }

    void number(long value) throws SQLException {
        statement.setLong(++index, value);
    }

    void text(@Nullable String value) throws SQLException {
        statement.setString(++index, StorableText.ofNullable(value));
    }
}
