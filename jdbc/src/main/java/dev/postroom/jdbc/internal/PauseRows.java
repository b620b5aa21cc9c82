package dev.postroom.jdbc.internal;

import dev.postroom.operations.Pause;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is paused, as the table has it. */
public final class PauseRows {
    public static final int MOST = 1_000;

    public static final String READ = """
            SELECT p.destination, p.topic, p.since, p.actor, p.reason
            FROM postroom_pause p
            ORDER BY p.destination, p.topic
            LIMIT ?
            """;

    private PauseRows() {}

    public static List<Pause> read(Connection connection, SqlNames names, Timestamps timestamps) throws SQLException {
        List<Pause> pauses = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(names.in(READ))) {
            statement.setInt(1, MOST);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    pauses.add(map(row, timestamps));
                }
            }
        }
        return pauses;
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
