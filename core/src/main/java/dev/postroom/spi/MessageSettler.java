package dev.postroom.spi;

import dev.postroom.FailureReason;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Records what became of messages, many at a time. Settling the same batch twice (its reply was lost) has the effect of
 * settling it once. Not thread-safe; owns one connection.
 */
public interface MessageSettler extends AutoCloseable {

    /** Records the batch. If this throws, any part of it may have been recorded: settle it again. */
    Settled settle(Batch batch);

    /**
     * Raises the crash count of rows that are about to be sent although they may have killed a relay before. Fenced like
     * a failure; returns the ids for which it was recorded, with version + 1.
     */
    Set<UUID> suspect(String owner, List<Suspect> suspects);

    /** Breaks off the call that another thread is in, which then fails. For any thread; never needed. */
    default void cancel() {}

    @Override
    void close();

    /**
     * Outcomes to be recorded together.
     *
     * @param owner the relay
     * @param archive whether rows that leave are kept in the archive
     * @param releases lanes to be given back in the same transaction, after everything else
     */
    record Batch(
            String owner,
            List<Success> successes,
            List<Failure> failures,
            boolean archive,
            List<LaneStore.Lease> releases) {}

    /**
     * Destinations confirmed a message. It happened, so it is recorded whoever owns the lane by now and whatever an
     * operator did meanwhile: bits are merged, and the row leaves when they cover its route. It stays where its lane was taken
     * for another routing since: by that it may have to go elsewhere, and whoever has the lane lets it leave.
     *
     * @param confirmed bits confirmed now
     * @param route bits that must be set for the row to leave
     */
    record Success(RowKey key, long confirmed, long route) {

        /** Whether these confirmations alone let the row leave. */
        public boolean coversRoute() {
            return (confirmed & route) == route;
        }
    }

    /**
     * A delivery failed. Written as absolute values over the version that was read and only by the owner of the lane's
     * epoch, so that a repeated settle does not count twice and an operator's change is not overwritten.
     *
     * @param attempts the count including this one, or the one before when it spends none
     * @param retryAfter when to try again, or null: dead
     * @param holdsStream whether later messages of its stream wait for it (policy BLOCK) or go on (SKIP)
     * @param confirmed bits that other destinations confirmed in this attempt
     */
    record Failure(
            RowKey key,
            int version,
            long epoch,
            int attempts,
            @Nullable Duration retryAfter,
            boolean holdsStream,
            long confirmed,
            Cause cause) {}

    /**
     * Why it failed.
     *
     * @param destination where it failed, or null when no destination was involved
     */
    record Cause(
            FailureReason reason, String error, @Nullable String destination) {}

    /** A row that may have killed a relay; {@code crashes} is the count including this send. */
    record Suspect(RowKey key, int version, long epoch, int crashes) {}

    /**
     * What was recorded.
     *
     * @param left how many rows left the live table now; fewer than were to leave means that others had settled them
     *     already, hence that they were sent twice
     * @param stale ids of failures that were not recorded: the row changed or left, or the lane is not ours any more
     */
    record Settled(int left, Set<UUID> stale) {}
}
