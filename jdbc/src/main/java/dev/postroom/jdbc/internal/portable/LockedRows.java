package dev.postroom.jdbc.internal.portable;

import dev.postroom.jdbc.internal.SizedSql;
import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.Values;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows and lanes that a transaction has locked, as they stand until it ends. */
final class LockedRows {
    /** Rows in one statement. */
    static final int CHUNK = 512;

    private final Map<Long, Row> rows = new HashMap<>();
    private final Map<Integer, Long> epochs = new HashMap<>();
    private final Set<Integer> othersLanes = new HashSet<>();

    record Row(UUID id, RowState state, long completed, int version) {}

    /** What locking says. */
    static final class Statements {
        private final SizedSql lockLanes;
        private final SettleSql rows;
        private final String lockRows;
        private final String othersLanes;

        Statements(SettleSql sql, SqlNames names) {
            this.lockLanes = new SizedSql(names, sql::lockLanes);
            this.rows = sql;
            this.lockRows = names.in(sql.lockRows());
            this.othersLanes = names.in(sql.othersLanes());
        }
    }

    /** Those of the lanes that the owner has. To be called first, so that nobody holds a row and waits for a lane. */
    void lockLanes(Connection connection, Statements sql, String owner, Collection<Integer> lanes) throws SQLException {
        List<Integer> distinct = lanes.stream().distinct().sorted().toList();
        if (distinct.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(sql.lockLanes.atLeast(distinct.size()))) {
            new Values(statement).text(owner).numbers(distinct);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    epochs.put(row.getInt("lane"), row.getLong("epoch"));
                }
            }
        }
    }

    /** Which lanes were taken for another routing since. To be called when the rows are locked: nobody removes one meanwhile. */
    void readOthersLanes(Connection connection, Statements sql, String owner) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.othersLanes)) {
            new Values(statement).text(owner);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    othersLanes.add(row.getInt("lane"));
                }
            }
        }
    }

    boolean isOthers(int lane) {
        return othersLanes.contains(lane);
    }

    void lockRows(Connection connection, Statements sql, Collection<Long> seqs) throws SQLException {
        for (List<Long> chunk : chunks(seqs.stream().distinct().sorted().toList())) {
            try (PreparedStatement statement = connection.prepareStatement(sql.lockRows)) {
                sql.rows.setSeqs(statement, chunk);
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        rows.put(
                                row.getLong("seq"),
                                new Row(
                                        row.getObject("id", UUID.class),
                                        RowState.of(row.getInt("state")),
                                        row.getLong("completed"),
                                        row.getInt("version")));
                    }
                }
            }
        }
    }

    static List<List<Long>> chunks(List<Long> seqs) {
        List<List<Long>> chunks = new ArrayList<>();
        for (int from = 0; from < seqs.size(); from += CHUNK) {
            chunks.add(seqs.subList(from, Math.min(seqs.size(), from + CHUNK)));
        }
        return chunks;
    }

    /** The row, or null when it is gone; a row of another message at the same seq is not it. */
    @Nullable
    Row row(RowKey key) {
        Row row = rows.get(key.seq());
        return row != null && row.id().equals(key.id()) ? row : null;
    }

    boolean owns(int lane, long epoch) {
        Long found = epochs.get(lane);
        return found != null && found == epoch;
    }

    /** Whether an outcome decided on this version, by the owner of this epoch, may be written. */
    boolean isCurrent(RowKey key, int version, long epoch) {
        Row row = row(key);
        return row != null && row.version() == version && row.state() != RowState.DEAD && owns(key.lane(), epoch);
    }
}
