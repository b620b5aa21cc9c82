package dev.postroom.jdbc.internal;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** How a database keeps instants. Neither way depends on the time zone of the JVM or of the session. */
public enum Timestamps {
    /** A type that knows its zone. */
    WITH_TIME_ZONE {
        @Override
        public @Nullable Instant get(ResultSet row, int column) throws SQLException {
            // Several times faster than as OffsetDateTime; of a column with a zone it is the same instant everywhere.
            Timestamp value = row.getTimestamp(column);
            return value == null ? null : value.toInstant();
        }

        @Override
        public void set(PreparedStatement statement, int index, @Nullable Instant instant) throws SQLException {
            statement.setObject(
                    index, instant == null ? null : instant.atOffset(ZoneOffset.UTC), Types.TIMESTAMP_WITH_TIMEZONE);
        }
    },
    /** A type without a zone, which holds UTC by agreement. */
    UTC {
        @Override
        public @Nullable Instant get(ResultSet row, int column) throws SQLException {
            LocalDateTime value = row.getObject(column, LocalDateTime.class);
            return value == null ? null : value.toInstant(ZoneOffset.UTC);
        }

        @Override
        public void set(PreparedStatement statement, int index, @Nullable Instant instant) throws SQLException {
            statement.setObject(
                    index, instant == null ? null : LocalDateTime.ofInstant(instant, ZoneOffset.UTC), Types.TIMESTAMP);
        }
    };

    public abstract @Nullable Instant get(ResultSet row, int column) throws SQLException;

    public abstract void set(PreparedStatement statement, int index, @Nullable Instant instant) throws SQLException;

    /** For a column found by name. */
    public @Nullable Instant get(ResultSet row, String column) throws SQLException {
        return get(row, row.findColumn(column));
    }

    /** For a column that is NOT NULL, found by name. */
    public Instant require(ResultSet row, String column) throws SQLException {
        return require(row, row.findColumn(column));
    }

    /** For a column that is NOT NULL. */
    public Instant require(ResultSet row, int column) throws SQLException {
        Instant value = get(row, column);
        if (value == null) {
            throw new SQLException("column number " + column + " is null, although it never is");
        }
        return value;
    }
}
