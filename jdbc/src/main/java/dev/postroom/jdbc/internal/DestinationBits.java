package dev.postroom.jdbc.internal;

import dev.postroom.PostroomException;
import dev.postroom.spi.Destinations;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/** Gives each destination a bit on first use. The caller sees to it that only one does so at a time. */
final class DestinationBits {
    private final LaneSql sql;
    private final SqlNames names;

    DestinationBits(LaneSql sql, SqlNames names) {
        this.sql = sql;
        this.names = names;
    }

    Destinations of(Connection connection, Collection<String> wanted) throws SQLException {
        Map<String, Integer> bits = known(connection);
        // In order of names, so that a fresh database gives every deployment the same bits.
        for (String name : new TreeSet<>(wanted)) {
            if (!bits.containsKey(name)) {
                int bit = bits.values().stream()
                        .mapToInt(known -> known + 1)
                        .max()
                        .orElse(0);
                if (bit >= Destinations.MOST) {
                    throw new PostroomException(
                            "there is no bit left for destination '" + name + "': " + Destinations.MOST
                                    + " destinations have been used so far, see the table "
                                    + names.in("postroom_destination"));
                }
                add(connection, bit, name);
                bits.put(name, bit);
            }
        }
        bits.keySet().retainAll(wanted);
        return new Destinations(bits);
    }

    private Map<String, Integer> known(Connection connection) throws SQLException {
        Map<String, Integer> bits = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(names.in(sql.destinations()));
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                bits.put(row.getString("name"), row.getInt("bit"));
            }
        }
        return bits;
    }

    private void add(Connection connection, int bit, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(names.in(sql.addDestination()))) {
            new Values(statement).number(bit).text(name);
            statement.executeUpdate();
        }
    }
}
