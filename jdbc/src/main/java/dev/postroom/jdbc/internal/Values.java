package dev.postroom.jdbc.internal;

import dev.postroom.spi.RowLimits;
import dev.postroom.spi.StorableText;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Sets a statement's parameters one after the other. */
public final class Values {
    private final PreparedStatement statement;
    private int index;

    public Values(PreparedStatement statement) {
        this.statement = statement;
    }

    public Values text(@Nullable String value) throws SQLException {
        statement.setString(++index, StorableText.ofNullable(value));
        return this;
    }

    public Values number(long value) throws SQLException {
        statement.setLong(++index, value);
        return this;
    }

    public Values number(@Nullable Long value) throws SQLException {
        statement.setObject(++index, value, Types.BIGINT);
        return this;
    }

    /** The two limits that statements which return messages begin with. */
    public Values limits(RowLimits limits) throws SQLException {
        return number(limits.storedHeaderBytes()).number(limits.payloadBytes());
    }

    public Values flag(boolean value) throws SQLException {
        statement.setBoolean(++index, value);
        return this;
    }

    public Values id(UUID value) throws SQLException {
        statement.setObject(++index, value);
        return this;
    }

    public Values bytes(byte @Nullable [] value) throws SQLException {
        statement.setBytes(++index, value);
        return this;
    }

    public Values time(Timestamps timestamps, @Nullable Instant value) throws SQLException {
        timestamps.set(statement, ++index, value);
        return this;
    }

    /** Exactly {@code size} numbers: the last is repeated, which changes nothing in an IN list. */
    public Values numbers(List<? extends Number> values, int size) throws SQLException {
        for (int i = 0; i < size; i++) {
            number(values.get(Math.min(i, values.size() - 1)).longValue());
        }
        return this;
    }

    /** As many numbers as {@link SizedSql#atLeast} has places for. */
    public Values numbers(List<? extends Number> values) throws SQLException {
        return numbers(values, SizedSql.padded(values.size()));
    }

    /** Begins the next row of a batch. */
    public void addBatch() throws SQLException {
        statement.addBatch();
        index = 0;
    }
}
