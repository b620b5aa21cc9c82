package dev.postroom.jdbc.internal.postgresql;

import dev.postroom.jdbc.internal.follow.FollowRows;
import dev.postroom.jdbc.internal.follow.FoundRow;
import dev.postroom.jdbc.internal.follow.HolderRows;
import dev.postroom.jdbc.internal.follow.RowSource;
import dev.postroom.jdbc.internal.follow.RowWeight;
import dev.postroom.spi.Owing;
import dev.postroom.spi.ReadBounds;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.StoredMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Statements that follow a read, on its connection. */
record PostgresRowSource(Connection connection, PostgresFollowSql sql, FollowRows rows, Owing owing)
        implements RowSource {

    @Override
    public HolderRows holders(Collection<Long> streams) throws SQLException {
        HolderRows holders = new HolderRows(owing);
        if (streams.isEmpty()) {
            return holders;
        }
        try (PreparedStatement statement = connection.prepareStatement(sql.holders)) {
            new Parameters(connection, statement).array("bigint", streams.toArray(Long[]::new));
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    holders.add(
                            row.getLong("stream"),
                            row.getLong("seq"),
                            row.getString("topic"),
                            row.getString("only_destination"),
                            row.getLong("completed"));
                }
            }
        }
        return holders;
    }

    @Override
    public Map<UUID, StoredMessage> load(List<RowKey> keys, ReadBounds bounds) throws SQLException {
        Map<UUID, StoredMessage> loaded = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(sql.load)) {
            Parameters parameters = new Parameters(connection, statement);
            PostgresFollowReader.weight(parameters, RowWeight.whole(bounds));
            parameters.ids(keys.stream().map(RowKey::id).toList());
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    FoundRow found = rows.map(row, bounds);
                    loaded.put(found.key().id(), found.message());
                }
            }
        }
        return loaded;
    }
}
