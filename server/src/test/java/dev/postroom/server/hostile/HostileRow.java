package dev.postroom.server.hostile;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A row that some other program writes by SQL: the columns it gives, and what has to become of it. For one thread. */
final class HostileRow {
    final UUID id;
    final Way way;
    final Map<String, @Nullable Object> columns = new TreeMap<>();
    /** Columns whose value is SQL. */
    final Map<String, String> expressions = new TreeMap<>();

    Fate fate = Fate.ARRIVES;
    String kind = "good";

    HostileRow(UUID id, Way way, int number) {
        this.id = id;
        this.way = way;
        columns.put("topic", way.label() + ".orders");
        columns.put("payload", ("{\"n\":" + number + "}").getBytes(StandardCharsets.UTF_8));
    }

    HostileRow with(String column, @Nullable Object value) {
        columns.put(column, value);
        return this;
    }

    HostileRow at(String column, String time) {
        expressions.put(column, time);
        return this;
    }

    HostileRow becomes(Fate expected) {
        fate = expected;
        return this;
    }

    /** What no CloudEvent can carry: only a handler in this process gets it. */
    HostileRow becomesNoEvent() {
        return becomes(way == Way.HANDLERS ? Fate.ARRIVES : Fate.DIES);
    }

    @Override
    public String toString() {
        return kind + " by " + way + " " + id;
    }
}
