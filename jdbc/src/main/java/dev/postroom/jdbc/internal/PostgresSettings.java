package dev.postroom.jdbc.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Settings for statements of ours, made once for a session and taken back at its end; behind a pooler for each transaction. All of
 * them travel in one round trip.
 *
 * <p>Compilation is always among them, switched off. Scans of tables are switched off, too, and up to PostgreSQL 17 that makes a plan
 * look dear which cannot do without one: a server with LLVM would compile for seconds what runs for a millisecond.
 */
public final class PostgresSettings {
    private PostgresSettings() {}

    /** These, each as {@code name = value}, and no compilation. */
    public static Session.Setup of(String... settings) {
        List<String> all = new ArrayList<>(List.of(settings));
        all.add("jit = off");
        List<String> names = all.stream()
                .map(setting -> setting.substring(0, setting.indexOf(' ')))
                .toList();
        String eachTransaction = each("SET LOCAL ", all);
        return new Session.Setup(
                List.of(each("SET ", all)),
                List.of(each("RESET ", names)),
                connection -> shared(connection, eachTransaction));
    }

    private static String each(String verb, List<String> settings) {
        return settings.stream().map(setting -> verb + setting).collect(Collectors.joining("; "));
    }

    private static Session.@Nullable Shared shared(Connection connection, String eachTransaction) throws SQLException {
        PostgresPooler pooler = PostgresPooler.before(connection);
        if (pooler == null) {
            return null;
        }
        pooler.takeOver(connection);
        return new BehindPooler(pooler, List.of(eachTransaction));
    }

    private record BehindPooler(PostgresPooler pooler, List<String> eachTransaction) implements Session.Shared {
        @Override
        public void restore(Connection connection) throws SQLException {
            pooler.handBack(connection);
        }
    }
}
