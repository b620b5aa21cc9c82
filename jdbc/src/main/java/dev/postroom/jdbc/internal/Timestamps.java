package dev.postroom.jdbc.internal;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * How a database keeps instants. Neither way depends on the time zone of the JVM or of the session.
 *
 * <p>Whoever writes by SQL may give any time that the column takes, and some are none: infinity, a year before Christ, a day
 * that no month has. They are read, and bound, as the nearest between {@link #EARLIEST} and {@link #LATEST}, with which
 * nothing overflows, and which every database, calendar and format has.
 */
public enum Timestamps {
    /** PostgreSQL's type, which knows its zone. */
    WITH_TIME_ZONE {
        @Override
        @Nullable
        Instant read(ResultSet row, int column) throws SQLException {
            // Several times faster than as OffsetDateTime; of a column with a zone it is the same instant everywhere.
            // Before 1582 it is in another calendar, but before the earliest in both.
            Timestamp value = row.getTimestamp(column);
            return value == null ? null : value.toInstant();
        }

        @Override
        void bind(PreparedStatement statement, int index, @Nullable Instant instant) throws SQLException {
            bindWithZone(statement, index, instant);
        }
    },
    /** H2's type, which knows its zone too, and years that wrap around in a {@link Timestamp}. */
    WITH_ANY_YEAR {
        @Override
        @Nullable
        Instant read(ResultSet row, int column) throws SQLException {
            OffsetDateTime value = row.getObject(column, OffsetDateTime.class);
            return value == null ? null : value.toInstant();
        }

        @Override
        void bind(PreparedStatement statement, int index, @Nullable Instant instant) throws SQLException {
            bindWithZone(statement, index, instant);
        }
    },
    /** MariaDB's type without a zone, which holds UTC by agreement. */
    UTC {
        @Override
        @Nullable
        Instant read(ResultSet row, int column) throws SQLException {
            LocalDateTime value;
            try {
                value = row.getObject(column, LocalDateTime.class);
            } catch (SQLDataException e) {
                value = null;
            }
            return value == null ? incomplete(row.getString(column)) : value.toInstant(ZoneOffset.UTC);
        }

        @Override
        void bind(PreparedStatement statement, int index, @Nullable Instant instant) throws SQLException {
            statement.setObject(
                    index, instant == null ? null : LocalDateTime.ofInstant(instant, ZoneOffset.UTC), Types.TIMESTAMP);
        }
    };

    /** No message is from before. */
    public static final Instant EARLIEST = Instant.EPOCH;

    /** The last that four digits of a year can tell. */
    public static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

    private static final int DATE_LENGTH = 10;

    abstract @Nullable Instant read(ResultSet row, int column) throws SQLException;

    abstract void bind(PreparedStatement statement, int index, @Nullable Instant instant) throws SQLException;

    public @Nullable Instant get(ResultSet row, int column) throws SQLException {
        Instant value = read(row, column);
        return value == null ? null : nearest(value);
    }

    public void set(PreparedStatement statement, int index, @Nullable Instant instant) throws SQLException {
        bind(statement, index, instant == null ? null : nearest(instant));
    }

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

    /** The nearest that lies between {@link #EARLIEST} and {@link #LATEST}. */
    public static Instant nearest(Instant instant) {
        if (instant.isBefore(EARLIEST)) {
            return EARLIEST;
        }
        return instant.isAfter(LATEST) ? LATEST : instant;
    }

    private static void bindWithZone(PreparedStatement statement, int index, @Nullable Instant instant)
            throws SQLException {
        statement.setObject(
                index, instant == null ? null : instant.atOffset(ZoneOffset.UTC), Types.TIMESTAMP_WITH_TIMEZONE);
    }

    /** MariaDB takes dates with a zero for month or day, or with nothing but zeros, which its driver gives as null. */
    private static @Nullable Instant incomplete(@Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            String date = text.substring(0, DATE_LENGTH).replace("-00", "-01");
            return LocalDateTime.parse(date + "T" + text.substring(DATE_LENGTH).strip())
                    .toInstant(ZoneOffset.UTC);
        } catch (DateTimeException | IndexOutOfBoundsException e) {
            return EARLIEST;
        }
    }
}
