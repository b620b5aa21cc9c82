package dev.postroom.engine;

import dev.postroom.PostroomException;
import dev.postroom.spi.RowLimits;
import java.time.Duration;
import java.util.function.Function;

/**
 * The numbers that bound a relay.
 *
 * @param owner the relay's name, new at every start: two starts must never be taken for one
 * @param lease how long a lane stays ours without renewal; renewed three times within it
 * @param batchSize rows per lane and read at most
 * @param pollMin how soon to look again after something was found
 * @param pollMax how soon to look again when nothing was found for long
 * @param maxInFlight messages in memory at most
 * @param maxInFlightBytes payload bytes in memory at most, but always one message
 * @param limits what exceeds them is never loaded; such a message is dead at once
 * @param maxCrashes how often a message may have been on its way when the process died
 * @param errorLength characters of an error that are kept
 * @param archive whether delivered messages are kept
 * @param routingDelay how long a relay with new routes must have lived before they are in force; three leases at least, so that a
 *     version that crashes in a loop leaves the older one time to deliver
 * @param breakers when a destination is held, by its name
 */
public record EngineSettings(
        String owner,
        String host,
        String version,
        Duration lease,
        int batchSize,
        Duration pollMin,
        Duration pollMax,
        int maxInFlight,
        long maxInFlightBytes,
        RowLimits limits,
        int maxCrashes,
        int errorLength,
        boolean archive,
        Duration routingDelay,
        Function<String, BreakerSettings> breakers,
        EngineBounds bounds) {

    private static final Duration LONGEST_ROUTING_DELAY = Duration.ofDays(1);

    private static final int LEASES_OF_ROUTING_DELAY = 3;

    public EngineSettings {
        require(lease.toMillis() >= 300, "the lease must be at least 300 ms", lease, "postroom.relay.lease");
        require(batchSize >= 1 && batchSize <= 10_000, "a batch is 1 to 10000", batchSize, "postroom.relay.batch-size");
        require(
                pollMin.toMillis() >= 1 && pollMin.compareTo(pollMax) <= 0,
                "the shortest poll interval must be 1 ms up to poll-max (" + pollMax + ")",
                pollMin,
                "postroom.relay.poll-min");
        require(
                maxInFlight >= 1,
                "at least one message must be let in flight",
                maxInFlight,
                "postroom.relay.max-in-flight");
        require(
                maxInFlightBytes >= 1,
                "at least one byte must be let in flight",
                maxInFlightBytes,
                "postroom.relay.max-in-flight-bytes");
        require(maxCrashes >= 1, "at least one crash must be allowed", maxCrashes, "postroom.relay.max-crashes");
        checkRoutingDelay(routingDelay, lease);
        require(errorLength >= 1, "an error needs a length", errorLength, "postroom.retry.error-length");
    }

    /**
     * A relay that died is taken for alive until its lease ends, and only then do others count its lanes as abandoned. With a delay that
     * is not much longer, the next one of a version that crashes in a loop is in force before the older version can do anything.
     */
    private static void checkRoutingDelay(Duration delay, Duration lease) {
        Duration least = shortestRoutingDelay(lease);
        if (delay.compareTo(least) < 0) {
            throw new PostroomException(
                    "the routing delay must be at least " + LEASES_OF_ROUTING_DELAY + " leases, which is "
                            + least + " (was " + delay + ", lease " + lease
                            + "), or a new version that crashes in a loop would keep all others from delivering: raise"
                            + " postroom.relay.routing-delay, or lower postroom.relay.lease");
        }
        require(
                delay.compareTo(LONGEST_ROUTING_DELAY) <= 0 || delay.equals(least),
                "new routes take over within a day",
                delay,
                "postroom.relay.routing-delay");
    }

    public static Duration shortestRoutingDelay(Duration lease) {
        return lease.multipliedBy(LEASES_OF_ROUTING_DELAY);
    }

    /** The same for another relay. */
    public EngineSettings ownedBy(String name) {
        return new EngineSettings(
                name,
                host,
                version,
                lease,
                batchSize,
                pollMin,
                pollMax,
                maxInFlight,
                maxInFlightBytes,
                limits,
                maxCrashes,
                errorLength,
                archive,
                routingDelay,
                breakers,
                bounds);
    }

    private static void require(boolean met, String rule, Object was, String setting) {
        if (!met) {
            throw new PostroomException(rule + " (was " + was + "): change " + setting);
        }
    }
}
