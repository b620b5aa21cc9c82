package dev.postroom.testkit.simulation.database;

import dev.postroom.FailureReason;
import dev.postroom.Stream;
import dev.postroom.operations.Change;
import dev.postroom.operations.Pause;
import dev.postroom.spi.RowState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** What operators do to messages and streams, and what they pause. */
public final class SimulatedOperator {
    private final SimulatedDatabase database;
    private final LiveTable table;
    private final List<Pause> pauses = new ArrayList<>();
    private final Map<String, Instant> resumed = new TreeMap<>();

    SimulatedOperator(SimulatedDatabase database, LiveTable table) {
        this.database = database;
        this.table = table;
    }

    /** Makes the change if it fits the message; returns whether it did. */
    public boolean change(Change change, UUID id) {
        Row row = table.find(id);
        if (row == null || !fits(change, row)) {
            return false;
        }
        if (change == Change.SKIP || change == Change.DELETE) {
            table.remove(row);
        } else {
            Instant now = database.clock().now();
            table.change(row, changed -> apply(change, changed, now));
        }
        database.observer().changed(row, change);
        return true;
    }

    private static boolean fits(Change change, Row row) {
        RowState state = row.state();
        return switch (change) {
            case RETRY -> state == RowState.WAITING || state == RowState.DEAD;
            case DEAD_LETTER -> state != RowState.DEAD;
            case SKIP -> true;
            case DELETE -> state == RowState.DEAD;
            case RELEASE -> row.stream().isOrdered() && !row.released();
        };
    }

    private static void apply(Change change, Row row, Instant now) {
        row.version++;
        switch (change) {
            case RETRY -> {
                row.retryAt = now;
                row.deadAt = null;
                row.attempts = 0;
                row.crashes = 0;
            }
            case DEAD_LETTER -> {
                row.deadAt = now;
                row.retryAt = null;
                row.reason = FailureReason.UNKNOWN;
                row.error = "dead-lettered by an operator";
            }
            case RELEASE -> {
                row.released = true;
                Instant due = row.due();
                // A row that could have gone but for its stream was left behind: due now, it is found again.
                if (row.deadAt == null && (due == null || !due.isAfter(now))) {
                    row.retryAt = now;
                }
            }
            case SKIP, DELETE -> throw new IllegalStateException("such a row leaves");
        }
    }

    /** Puts a row of the archive back for one destination, unless it is live; returns whether it did. */
    public boolean replay(UUID id, String destination) {
        Row archived = database.archived(id);
        if (archived == null || table.find(id) != null) {
            return false;
        }
        database.replay(archived, destination);
        return true;
    }

    /** Releases all that hold the stream. */
    public int releaseStream(Stream stream) {
        List<UUID> holders = table.holders(stream).values().stream()
                .map(row -> row.key().id())
                .toList();
        holders.forEach(id -> change(Change.RELEASE, id));
        return holders.size();
    }

    public void pause(Pause.Target target) {
        resume(target);
        pauses.add(new Pause(target, database.clock().now(), "operator", "simulated"));
    }

    /** Whether there was such a pause. */
    public boolean resume(Pause.Target target) {
        if (target.destination() != null) {
            resumed.put(target.destination(), database.clock().now());
        }
        return pauses.removeIf(pause -> pause.target().equals(target));
    }

    public List<Pause> pauses() {
        return List.copyOf(pauses);
    }

    /** When each destination was resumed. */
    Map<String, Instant> resumed() {
        return Map.copyOf(resumed);
    }
}
