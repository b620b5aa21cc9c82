package dev.postroom.jdbc.internal.operations;

import dev.postroom.jdbc.internal.PauseRows;
import dev.postroom.operations.DestinationItem;
import dev.postroom.operations.OperationsStore.Auditing;
import dev.postroom.operations.OperationsStore.Effect;
import dev.postroom.operations.Pause;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What operators paused. */
final class Pauses {
    private static final String RUNNING = "running";
    private static final String FIND =
            "SELECT p.actor, p.reason FROM postroom_pause p WHERE p.destination = ? AND p.topic = ?";
    private static final String REMOVE = "DELETE FROM postroom_pause WHERE destination = ? AND topic = ?";
    private static final String WRITE =
            "INSERT INTO postroom_pause (destination, topic, since, actor, reason) VALUES (?, ?, ?, ?, ?)";

    private static final String GO_ON = "UPDATE postroom_destination SET resumed_at = ?";

    private final AuditLog audit;

    Pauses(AuditLog audit) {
        this.audit = audit;
    }

    void pause(Statements statements, Pause.Target target, Auditing auditing) throws SQLException {
        String before = state(statements, target);
        statements.update(REMOVE, key(target));
        statements.update(
                WRITE,
                List.of(key(target).get(0), key(target).get(1), statements.now(), auditing.actor(), auditing.reason()));
        audit.write(statements, auditing.matching(1), new Effect(1, 0, before, "paused"));
    }

    boolean resume(Statements statements, Pause.Target target, Auditing auditing) throws SQLException {
        String before = state(statements, target);
        int removed = statements.update(REMOVE, key(target));
        if (target.topic() == null) {
            goOn(statements, target.destination());
        }
        audit.write(statements, auditing.matching(removed), new Effect(removed, 0, before, RUNNING));
        return removed > 0;
    }

    /** A relay that holds it because it fails everything tries it at once, whether it was paused or not. */
    private static void goOn(Statements statements, @Nullable String destination) throws SQLException {
        if (destination == null) {
            statements.update(GO_ON, List.of(statements.now()));
        } else {
            statements.update(GO_ON + " WHERE name = ?", List.of(statements.now(), destination));
        }
    }

    private static String state(Statements statements, Pause.Target target) throws SQLException {
        List<String> paused = statements.all(
                FIND, key(target), row -> "paused by " + row.getString("actor") + ": " + row.getString("reason"));
        return paused.isEmpty() ? RUNNING : paused.get(0);
    }

    List<Pause> all(Statements statements) throws SQLException {
        return statements.all(
                PauseRows.READ, List.of(PauseRows.MOST), row -> PauseRows.map(row, statements.timestamps()));
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
}
