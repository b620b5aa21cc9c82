package dev.postroom.jdbc.internal.portable;

import dev.postroom.jdbc.internal.Micros;
import dev.postroom.jdbc.internal.Session;
import dev.postroom.jdbc.internal.SizedSql;
import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.Values;
import dev.postroom.spi.LaneStore.Lease;
import dev.postroom.spi.MessageSettler;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Settles a batch in one transaction: locks everything that it concerns, decides on what it then sees, and writes without
 * conditions. So the answer is exact without asking a driver for the counts of a batch, which not every one gives.
 */
public final class PortableSettler implements MessageSettler {
    private final Session session;
    private final SettleSql sql;
    private final SqlNames names;
    private final LockedRows.Statements locking;
    private final String archive;
    private final String remove;
    private final SizedSql releaseLanes;

    public PortableSettler(Session session, SettleSql sql, SqlNames names) {
        this.session = session;
        this.sql = sql;
        this.names = names;
        this.locking = new LockedRows.Statements(sql, names);
        this.archive = names.in(sql.archive());
        this.remove = names.in(sql.remove());
        this.releaseLanes = new SizedSql(names, sql::releaseLanes);
    }

    @Override
    public Settled settle(Batch batch) {
        return session.transaction("settle messages", connection -> {
            LockedRows locked = lock(connection, batch);
            Set<UUID> left = succeed(connection, batch, locked);
            Set<UUID> stale = fail(connection, batch, locked, left);
            release(connection, batch, locked);
            return new Settled(left.size(), stale);
        });
    }

    private LockedRows lock(Connection connection, Batch batch) throws SQLException {
        LockedRows locked = new LockedRows();
        locked.lockLanes(
                connection,
                locking,
                batch.owner(),
                Stream.concat(
                                batch.failures().stream()
                                        .map(failure -> failure.key().lane()),
                                batch.releases().stream().map(Lease::lane))
                        .toList());
        locked.lockRows(
                connection,
                locking,
                Stream.concat(
                                batch.successes().stream()
                                        .map(success -> success.key().seq()),
                                batch.failures().stream()
                                        .map(failure -> failure.key().seq()))
                        .toList());
        if (!batch.successes().isEmpty()) {
            locked.readOthersLanes(connection, locking, batch.owner());
        }
        return locked;
    }

    private Set<UUID> succeed(Connection connection, Batch batch, LockedRows locked) throws SQLException {
        Map<Long, Long> completed = new LinkedHashMap<>();
        Map<Long, UUID> leaving = new LinkedHashMap<>();
        for (Success success : batch.successes()) {
            LockedRows.Row row = locked.row(success.key());
            if (row != null) {
                long seq = success.key().seq();
                long merged = completed.getOrDefault(seq, row.completed()) | success.confirmed();
                completed.put(seq, merged);
                if ((merged & success.route()) == success.route()
                        && !locked.isOthers(success.key().lane())) {
                    leaving.put(seq, row.id());
                }
            }
        }
        completed.keySet().removeAll(leaving.keySet());
        merge(connection, completed);
        for (List<Long> chunk :
                LockedRows.chunks(leaving.keySet().stream().sorted().toList())) {
            if (batch.archive()) {
                onRows(connection, archive, chunk);
            }
            onRows(connection, remove, chunk);
        }
        return Set.copyOf(leaving.values());
    }

    private void merge(Connection connection, Map<Long, Long> completed) throws SQLException {
        if (completed.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(names.in(sql.merge()))) {
            Values values = new Values(statement);
            for (Map.Entry<Long, Long> row : completed.entrySet()) {
                values.number(row.getValue()).number(row.getKey()).addBatch();
            }
            statement.executeBatch();
        }
    }

    private Set<UUID> fail(Connection connection, Batch batch, LockedRows locked, Set<UUID> left) throws SQLException {
        Set<UUID> stale = new HashSet<>();
        List<Failure> recorded = new ArrayList<>();
        for (Failure failure : batch.failures()) {
            UUID id = failure.key().id();
            if (!left.contains(id) && locked.isCurrent(failure.key(), failure.version(), failure.epoch())) {
                recorded.add(failure);
            } else {
                stale.add(id);
            }
        }
        if (!recorded.isEmpty()) {
            writeFailures(connection, recorded);
            writeAttempts(connection, recorded, batch.owner());
        }
        return stale;
    }

    private void writeFailures(Connection connection, List<Failure> failures) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(names.in(sql.fail()))) {
            Values values = new Values(statement);
            for (Failure failure : failures) {
                Long retryAfter = failure.retryAfter() == null ? null : (Long) Micros.of(failure.retryAfter());
                values.number(failure.attempts())
                        .number(failure.confirmed())
                        .number(retryAfter)
                        .number(retryAfter)
                        .flag(failure.holdsStream())
                        .text(failure.cause().reason().name())
                        .text(failure.cause().error())
                        .number(failure.key().seq())
                        .addBatch();
            }
            statement.executeBatch();
        }
    }

    private void writeAttempts(Connection connection, List<Failure> failures, String owner) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(names.in(sql.attempt()))) {
            Values values = new Values(statement);
            for (Failure failure : failures) {
                values.id(failure.key().id())
                        .number(failure.attempts())
                        .text(failure.cause().reason().name())
                        .text(failure.cause().error())
                        .text(failure.cause().destination())
                        .text(owner)
                        .addBatch();
            }
            statement.executeBatch();
        }
    }

    private void release(Connection connection, Batch batch, LockedRows locked) throws SQLException {
        List<Long> lanes = batch.releases().stream()
                .filter(lease -> locked.owns(lease.lane(), lease.epoch()))
                .map(lease -> (long) lease.lane())
                .toList();
        if (lanes.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(releaseLanes.atLeast(lanes.size()))) {
            new Values(statement).numbers(lanes);
            statement.executeUpdate();
        }
    }

    @Override
    public Set<UUID> suspect(String owner, List<Suspect> suspects) {
        return session.transaction("count a crash", connection -> {
            LockedRows locked = new LockedRows();
            locked.lockLanes(
                    connection,
                    locking,
                    owner,
                    suspects.stream().map(suspect -> suspect.key().lane()).toList());
            locked.lockRows(
                    connection,
                    locking,
                    suspects.stream().map(suspect -> suspect.key().seq()).toList());
            List<Suspect> recorded = suspects.stream()
                    .filter(suspect -> locked.isCurrent(suspect.key(), suspect.version(), suspect.epoch()))
                    .toList();
            writeSuspects(connection, recorded);
            return new HashSet<>(
                    recorded.stream().map(suspect -> suspect.key().id()).toList());
        });
    }

    private void writeSuspects(Connection connection, List<Suspect> suspects) throws SQLException {
        if (suspects.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(names.in(sql.suspect()))) {
            Values values = new Values(statement);
            for (Suspect suspect : suspects) {
                values.number(suspect.crashes()).number(suspect.key().seq()).addBatch();
            }
            statement.executeBatch();
        }
    }

    private void onRows(Connection connection, String text, List<Long> seqs) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(text)) {
            sql.setSeqs(statement, seqs);
            statement.executeUpdate();
        }
    }

    @Override
    public void cancel() {
        session.cancel();
    }

    @Override
    public void close() {
        session.close();
    }
}
