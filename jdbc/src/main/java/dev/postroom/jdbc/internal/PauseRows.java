package dev.postroom.jdbc.internal;

import dev.postroom.operations.Pause;
import dev.postroom.spi.Pauses;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is paused, and what was resumed, as the tables have it. */
public final class PauseRows {
    public static final int MOST = 1_000;

    public static final String READ = """
            SELECT p.destination, p.topic, p.since, p.actor, p.reason
            FROM postroom_pause p
            ORDER BY p.destination, p.topic
            LIMIT ?
            """;

    /** With what was resumed: such rows have no actor. The bit is there for its index, because relays never scan a table. */
    private static final String READ_ALL = """
            SELECT p.destination, p.topic, p.since, p.actor, p.reason
            FROM postroom_pause p
            UNION ALL
            SELECT d.name, '', d.resumed_at, NULL, NULL
            FROM postroom_destination d WHERE d.bit >= 0 AND d.resumed_at IS NOT NULL
            ORDER BY 1, 2
            LIMIT ?
            """;

    private PauseRows() {}

    public static Pauses read(Connection connection, SqlNames names, Timestamps timestamps) throws SQLException {
        List<Pause> paused = new ArrayList<>();
        Map<String, Instant> resumed = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(names.in(READ_ALL))) {
            statement.setInt(1, MOST);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    if (row.getString("actor") == null) {
                        resumed.put(row.getString("destination"), timestamps.require(row, "since"));
                    } else {
                        paused.add(map(row, timestamps));
                    }
                }
            }
        }
        return new Pauses(paused, resumed);
    }

    /** The pause that the result stands on. */
    public static Pause map(ResultSet row, Timestamps timestamps) throws SQLException {
        return new Pause(
                new Pause.Target(orNull(row.getString("destination")), orNull(row.getString("topic"))),
                timestamps.require(row, "since"),
                row.getString("actor"),
                row.getString("reason"));
    }

    private static @Nullable String orNull(String name) {
        return name.isEmpty() ? null : name;
    }
}
