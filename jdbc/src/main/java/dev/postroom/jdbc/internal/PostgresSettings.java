package dev.postroom.jdbc.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Settings for statements of ours, made once for a session and taken back at its end; behind a pooler for each transaction. All of
 * them travel in one round trip. What was set before is kept in the session and restored: an application may have given its
 * connections settings of their own.
 *
 * <p>Compilation is always among them, switched off. Scans of tables are switched off, too, and up to PostgreSQL 17 that makes a plan
 * look dear which cannot do without one: a server with LLVM would compile for seconds what runs for a millisecond.
 *
 * <p>Everything runs at READ COMMITTED, whatever the database, the role or the pool prefers. At SERIALIZABLE a relay's reads would
 * make transactions of producers fail that have nothing to do with it, and theirs would fail its own.
 */
public final class PostgresSettings {
    private PostgresSettings() {}

    /** These, each as {@code name = value}, and no compilation. */
    public static Session.Setup of(String... settings) {
        List<String> all = new ArrayList<>(List.of(settings));
        all.add("jit = off");
        // The transaction's own first: it cannot be changed once a statement has run.
        String eachTransaction = "SET LOCAL transaction_isolation = 'read committed'; " + each("SET LOCAL ", all);
        all.add("default_transaction_isolation = 'read committed'");
        List<String> names = all.stream()
                .map(setting -> setting.substring(0, setting.indexOf(' ')))
                .toList();
        return new Session.Setup(
                List.of(remembered(names) + "; " + each("SET ", all)),
                List.of(restored(names)),
                connection -> shared(connection, eachTransaction));
    }

    private static String each(String verb, List<String> settings) {
        return settings.stream().map(setting -> verb + setting).collect(Collectors.joining("; "));
    }

    private static String remembered(List<String> names) {
        return select(names, "set_config('postroom.%1$s', current_setting('%1$s'), false)");
    }

    /** To the server's own value where nothing was remembered, because the session was lost before. */
    private static String restored(List<String> names) {
        return select(names, "set_config('%1$s', current_setting('postroom.%1$s', true), false)");
    }

    private static String select(List<String> names, String call) {
        return names.stream().map(call::formatted).collect(Collectors.joining(", ", "SELECT ", ""));
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
