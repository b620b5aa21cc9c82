package dev.postroom.jdbc.internal.postgresql;

import java.util.Arrays;
import java.util.List;

/**
 * What a read saw of other transactions: those before {@code end} had ended, apart from {@code running}. Transactions at
 * or after {@code end} may have been running too: a snapshot lists only those below the latest that has completed. Both
 * kinds may commit rows with lower sequence numbers than the read returned.
 */
record PostgresSnapshot(long end, List<Long> running) {
    /**
     * Stands for no transaction, where none was running. An empty list is a contradiction to the planner, from which it
     * concludes that any partial index will do, and walks through all of the holders.
     */
    private static final List<Long> NOBODY = List.of(0L);

    /** Before the first read nothing can be late. */
    static final PostgresSnapshot NONE = new PostgresSnapshot(Long.MAX_VALUE, NOBODY);

    /** Parses {@code pg_snapshot}: {@code xmin:xmax:xip,xip,…}. */
    static PostgresSnapshot parse(String snapshot) {
        String[] parts = snapshot.split(":", -1);
        List<Long> running = parts[2].isEmpty()
                ? NOBODY
                : Arrays.stream(parts[2].split(",", -1)).map(Long::valueOf).toList();
        return new PostgresSnapshot(Long.parseLong(parts[1]), running);
    }
}
