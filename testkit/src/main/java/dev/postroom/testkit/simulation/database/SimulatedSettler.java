package dev.postroom.testkit.simulation.database;

import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowState;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Settles as {@link MessageSettler} says. */
final class SimulatedSettler implements MessageSettler {
    private final SimulatedDatabase database;
    private final LiveTable table;
    private final boolean ignoresFences;

    SimulatedSettler(SimulatedDatabase database, LiveTable table, boolean ignoresFences) {
        this.database = database;
        this.table = table;
        this.ignoresFences = ignoresFences;
    }

    @Override
    public Settled settle(Batch batch) {
        int left = 0;
        for (Success success : batch.successes()) {
            left += succeed(success, batch.owner(), batch.archive()) ? 1 : 0;
        }
        Set<UUID> stale = new HashSet<>();
        for (Failure failure : batch.failures()) {
            if (!fail(failure, batch.owner())) {
                stale.add(failure.key().id());
            }
        }
        database.release(batch.owner(), batch.releases());
        return new Settled(left, stale);
    }

    /** Whoever owns the lane, whatever the version: it happened. */
    private boolean succeed(Success success, String owner, boolean archive) {
        Row row = table.find(success.key());
        if (row == null) {
            return false;
        }
        table.change(row, changed -> changed.completed |= success.confirmed());
        if ((row.completed & success.route()) != success.route()
                || database.isOthers(success.key().lane(), owner)) {
            return false;
        }
        table.remove(row);
        if (archive && row.onlyDestination() == null) {
            database.archive(row);
        }
        database.observer().processed(row, owner);
        return true;
    }

    private boolean fail(Failure failure, String owner) {
        Row row = fenced(failure.key(), failure.version(), failure.epoch(), owner);
        if (row == null) {
            return false;
        }
        Instant now = database.clock().now();
        table.change(row, changed -> {
            changed.attempts = failure.attempts();
            changed.version++;
            changed.completed |= failure.confirmed();
            changed.retryAt = failure.retryAfter() == null ? null : now.plus(failure.retryAfter());
            changed.deadAt = failure.retryAfter() == null ? now : null;
            changed.holds = failure.holdsStream();
            changed.reason = failure.cause().reason();
            changed.error = failure.cause().error();
        });
        database.observer().failed(row, failure, owner);
        return true;
    }

    @Override
    public Set<UUID> suspect(String owner, List<Suspect> suspects) {
        Set<UUID> recorded = new HashSet<>();
        for (Suspect suspect : suspects) {
            Row row = fenced(suspect.key(), suspect.version(), suspect.epoch(), owner);
            if (row != null) {
                database.observer().suspected(row, suspect, owner);
                table.change(row, changed -> {
                    changed.crashes = suspect.crashes();
                    changed.version++;
                });
                recorded.add(suspect.key().id());
            }
        }
        return recorded;
    }

    private @Nullable Row fenced(RowKey key, int version, long epoch, String owner) {
        Row row = table.find(key);
        if (row == null) {
            return null;
        }
        boolean allowed = row.version() == version && row.state() != RowState.DEAD && database.owns(owner, key, epoch);
        return allowed || ignoresFences ? row : null;
    }

    @Override
    public void close() {}
}
