package dev.postroom.operations;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the tables lie in the database. Numbers of rows are the database's own estimates, so that asking costs nothing.
 *
 * @param oldestTransactionSeconds how long the oldest transaction of others is open; null when there is none, or the
 *     database does not say
 * @param oldestTransaction whose it is, for people and without its SQL; null likewise
 * @param partitions of the archive, oldest first; empty where it is one table
 */
public record StorageFacts(
        List<Table> tables,
        @Nullable Double oldestTransactionSeconds,
        @Nullable String oldestTransaction,
        List<Partition> partitions) {

    /** A store that cannot tell. */
    public static final StorageFacts UNKNOWN = new StorageFacts(List.of(), null, null, List.of());

    /**
     * A table.
     *
     * @param bytes with its indexes, or null when the database does not say
     * @param deadRows deleted but not cleaned up, or null when the database has no such thing
     */
    public record Table(
            String name,
            long rows,
            @Nullable Long bytes,
            @Nullable Long deadRows) {}

    /** A part of the archive; without times it is what takes the rows of no other. */
    public record Partition(
            String name,
            @Nullable Instant from,
            @Nullable Instant to,
            long rows,
            @Nullable Long bytes) {}
}
