package dev.postroom.jdbc.internal.postgresql;

import dev.postroom.jdbc.internal.Micros;
import dev.postroom.jdbc.internal.Session;
import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Settles a batch with one statement per kind of outcome. */
final class PostgresSettler implements MessageSettler {
    private final Session session;
    private final PostgresSettleSql sql;

    PostgresSettler(Session session, SqlNames names) {
        this.session = session;
        this.sql = new PostgresSettleSql(names);
    }

    @Override
    public Settled settle(Batch batch) {
        // Successes alone are the common case: one statement is its own transaction and spares the commit's round trip.
        boolean oneKind = batch.failures().isEmpty() && batch.releases().isEmpty();
        Session.Work<Settled> work = connection -> settle(connection, batch);
        return oneKind ? session.call("settle messages", work) : session.transaction("settle messages", work);
    }

    private Settled settle(Connection connection, Batch batch) throws SQLException {
        int left = batch.successes().isEmpty() ? 0 : succeed(connection, batch);
        Set<UUID> stale = batch.failures().isEmpty() ? Set.of() : fail(connection, batch);
        if (!batch.releases().isEmpty()) {
            release(connection, batch);
        }
        return new Settled(left, stale);
    }

    private int succeed(Connection connection, Batch batch) throws SQLException {
        List<Success> whole =
                batch.successes().stream().filter(Success::coversRoute).toList();
        List<Success> parts = batch.successes().stream()
                .filter(success -> !success.coversRoute())
                .toList();
        int left = 0;
        if (!whole.isEmpty()) {
            left += remove(connection, whole, batch);
            if (left < whole.size()) {
                merge(connection, whole); // what could not be removed, because others deliver it by other routes
            }
        }
        if (!parts.isEmpty()) {
            // Merged first: the rows' locks make two relays that each confirm a part see the other's.
            merge(connection, parts);
            left += removeCovered(connection, parts, batch);
        }
        return left;
    }

    private int remove(Connection connection, List<Success> done, Batch batch) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(batch.archive() ? sql.archive : sql.remove)) {
            Parameters parameters = new Parameters(connection, statement);
            rows(parameters, done);
            parameters.text(batch.owner());
            return count(statement, batch.archive());
        }
    }

    /** An archiving statement inserts and so returns the count of what it removed as a row. */
    private static int count(PreparedStatement statement, boolean archive) throws SQLException {
        if (!archive) {
            return statement.executeUpdate();
        }
        try (ResultSet count = statement.executeQuery()) {
            count.next();
            return count.getInt(1);
        }
    }

    private void merge(Connection connection, List<Success> parts) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.merge)) {
            Parameters parameters = new Parameters(connection, statement);
            rows(parameters, parts);
            parameters.array("bigint", column(parts, Success::confirmed, Long[]::new));
            statement.executeUpdate();
        }
    }

    private int removeCovered(Connection connection, List<Success> parts, Batch batch) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(batch.archive() ? sql.archiveCovered : sql.removeCovered)) {
            Parameters parameters = new Parameters(connection, statement);
            rows(parameters, parts);
            parameters.array("bigint", column(parts, Success::route, Long[]::new));
            parameters.text(batch.owner());
            return count(statement, batch.archive());
        }
    }

    private Set<UUID> fail(Connection connection, Batch batch) throws SQLException {
        List<Failure> failures = batch.failures();
        Set<UUID> stale = new HashSet<>(failures.stream().map(f -> f.key().id()).toList());
        try (PreparedStatement statement = connection.prepareStatement(sql.fail)) {
            Parameters parameters = new Parameters(connection, statement);
            parameters.ids(failures.stream().map(f -> f.key().id()).toList());
            parameters.array("bigint", column(failures, f -> f.key().seq(), Long[]::new));
            parameters.array("smallint", column(failures, f -> (short) f.key().lane(), Short[]::new));
            parameters.array("integer", column(failures, Failure::version, Integer[]::new));
            parameters.array("bigint", column(failures, Failure::epoch, Long[]::new));
            parameters.array("integer", column(failures, Failure::attempts, Integer[]::new));
            parameters.array("bigint", retryAfter(failures));
            parameters.array("boolean", column(failures, Failure::holdsStream, Boolean[]::new));
            parameters.array("bigint", column(failures, Failure::confirmed, Long[]::new));
            parameters.texts(
                    failures.stream().map(f -> f.cause().reason().name()).toList());
            parameters.texts(failures.stream().map(f -> f.cause().error()).toList());
            parameters.texts(destinations(failures));
            parameters.text(batch.owner());
            parameters.text(batch.owner());
            stale.removeAll(changed(statement));
        }
        return stale;
    }

    private static Long[] retryAfter(List<Failure> failures) {
        Long[] micros = new Long[failures.size()];
        for (int i = 0; i < micros.length; i++) {
            Duration after = failures.get(i).retryAfter();
            micros[i] = after == null ? null : Micros.of(after);
        }
        return micros;
    }

    private static List<@Nullable String> destinations(List<Failure> failures) {
        List<@Nullable String> names = new ArrayList<>();
        failures.forEach(failure -> names.add(failure.cause().destination()));
        return names;
    }

    private void release(Connection connection, Batch batch) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql.release)) {
            Parameters parameters = new Parameters(connection, statement);
            parameters.array("smallint", column(batch.releases(), lease -> (short) lease.lane(), Short[]::new));
            parameters.array("bigint", column(batch.releases(), LaneStore.Lease::epoch, Long[]::new));
            parameters.text(batch.owner());
            statement.executeUpdate();
        }
    }

    @Override
    public Set<UUID> suspect(String owner, List<Suspect> suspects) {
        return session.call("count a crash", connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql.suspect)) {
                Parameters parameters = new Parameters(connection, statement);
                parameters.ids(suspects.stream().map(s -> s.key().id()).toList());
                parameters.array("bigint", column(suspects, s -> s.key().seq(), Long[]::new));
                parameters.array(
                        "smallint", column(suspects, s -> (short) s.key().lane(), Short[]::new));
                parameters.array("integer", column(suspects, Suspect::version, Integer[]::new));
                parameters.array("bigint", column(suspects, Suspect::epoch, Long[]::new));
                parameters.array("integer", column(suspects, Suspect::crashes, Integer[]::new));
                parameters.text(owner);
                return changed(statement);
            }
        });
    }

    private static <T, V> V[] column(List<T> rows, Function<T, V> value, java.util.function.IntFunction<V[]> array) {
        return rows.stream().map(value).toArray(array);
    }

    /** Which rows were sent, by id and number. */
    private static void rows(Parameters parameters, List<Success> successes) throws SQLException {
        parameters.ids(successes.stream().map(success -> success.key().id()).toList());
        parameters.array("bigint", column(successes, success -> success.key().seq(), Long[]::new));
    }

    private static Set<UUID> changed(PreparedStatement statement) throws SQLException {
        Set<UUID> ids = new HashSet<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                ids.add(rows.getObject(1, UUID.class));
            }
        }
        return ids;
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
