package dev.postroom.jdbc.internal.operations;

import dev.postroom.operations.DestinationItem;
import dev.postroom.operations.OperationsStore.Auditing;
import dev.postroom.operations.Pause;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What operators paused. */
final class Pauses {
    private static final int MOST = 1_000;

    private static final String READ = """
            SELECT p.destination, p.topic, p.since, p.actor, p.reason
            FROM postroom_pause p
            ORDER BY p.destination, p.topic
            LIMIT ?
            """;
    private static final String REMOVE = "DELETE FROM postroom_pause WHERE destination = ? AND topic = ?";
    private static final String WRITE =
            "INSERT INTO postroom_pause (destination, topic, since, actor, reason) VALUES (?, ?, ?, ?, ?)";

    private final AuditLog audit;

    Pauses(AuditLog audit) {
        this.audit = audit;
    }

    void pause(Statements statements, Pause.Target target, Auditing auditing) throws SQLException {
        statements.update(REMOVE, key(target));
        statements.update(
                WRITE,
                List.of(key(target).get(0), key(target).get(1), statements.now(), auditing.actor(), auditing.reason()));
        audit.write(statements, auditing, 1);
    }

    boolean resume(Statements statements, Pause.Target target, Auditing auditing) throws SQLException {
        int removed = statements.update(REMOVE, key(target));
        audit.write(statements, auditing, removed);
        return removed > 0;
    }

    List<Pause> all(Statements statements) throws SQLException {
        return statements.all(READ, List.of(MOST), row -> map(statements, row));
    }

    /** Those that relays have used, and those that are paused though no relay has used them yet. */
    List<DestinationItem> destinations(Statements statements) throws SQLException {
        Map<String, DestinationItem> items = new TreeMap<>();
        for (String name :
                statements.all("SELECT d.name FROM postroom_destination d", List.of(), row -> row.getString("name"))) {
            items.put(name, new DestinationItem(name, null));
        }
        for (Pause pause : all(statements)) {
            String name = pause.target().destination();
            if (name != null) {
                items.put(name, new DestinationItem(name, pause));
            }
        }
        return List.copyOf(items.values());
    }

    private static List<String> key(Pause.Target target) {
        return List.of(orEmpty(target.destination()), orEmpty(target.topic()));
    }

    private static String orEmpty(@Nullable String name) {
        return name == null ? "" : name;
    }

    private static Pause map(Statements statements, ResultSet row) throws SQLException {
        return new Pause(
                new Pause.Target(orNull(row.getString("destination")), orNull(row.getString("topic"))),
                statements.timestamps().require(row, "since"),
                row.getString("actor"),
                row.getString("reason"));
    }

    private static @Nullable String orNull(String name) {
        return name.isEmpty() ? null : name;
    }
}
