package dev.postroom.testkit.simulation.database;

import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.ReadBounds;
import dev.postroom.spi.StoredMessage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleSupplier;

/** Rows for one answer, within its bytes. What is taken out of it is one part of the answer. */
final class Answer {
    /** So often a part ends before its limit. */
    private static final double SHORT = 0.1;

    private final LiveTable table;
    private final HoldRule holds;
    private final ReadBounds bounds;
    private final DatabaseShape shape;
    private final DoubleSupplier random;
    private List<FollowedMessage> rows = new ArrayList<>();
    private Set<Row> answered = new HashSet<>();
    private long bytes;
    private boolean empty = true;

    Answer(LiveTable table, HoldRule holds, ReadBounds bounds, DatabaseShape shape, DoubleSupplier random) {
        this.table = table;
        this.holds = holds;
        this.bounds = bounds;
        this.shape = shape;
        this.random = random;
    }

    /** The limit of a part, or less. */
    int limited(int limit) {
        if (shape.has(DatabaseDefect.NO_LIMITS)) {
            return Integer.MAX_VALUE;
        }
        return random.getAsDouble() < SHORT ? (int) (random.getAsDouble() * limit) : limit;
    }

    /** The first row of all comes whatever it weighs. */
    boolean hasRoomFor(Row row) {
        return empty || bytes + weight(row) <= bounds.bytes() || shape.has(DatabaseDefect.NO_LIMITS);
    }

    private long weight(Row row) {
        return row.bytes(bounds.row().payloadBytes());
    }

    void add(Row row) {
        weigh(row);
        put(row);
    }

    void weigh(Row row) {
        bytes += weight(row);
        empty = false;
    }

    void put(Row row) {
        HoldRule.Before before = holds.earlier(row, answered);
        StoredMessage message = row.read(bounds.row().payloadBytes());
        rows.add(new FollowedMessage(
                message, table.streamId(row), row.holds, holds.heldAt(row) | before.unsure(), before.earlier()));
        answered.add(row);
    }

    /** What came since the last time. */
    List<FollowedMessage> take() {
        List<FollowedMessage> taken = rows;
        rows = new ArrayList<>();
        answered = new HashSet<>();
        return taken;
    }
}
