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
 * @param routingDelay how long a relay with new routes must have lived before they are in force
 * @param probeIntervals how soon a destination that is down is tried with one message, by its name; then less and less often
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
        Function<String, Duration> probeIntervals) {

    private static final Duration LONGEST_ROUTING_DELAY = Duration.ofDays(1);

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
        require(
                !routingDelay.isNegative(),
                "new routes cannot be in force before they are there",
                routingDelay,
                "postroom.relay.routing-delay");
        require(
                routingDelay.compareTo(LONGEST_ROUTING_DELAY) <= 0,
                "new routes take over within a day",
                routingDelay,
                "postroom.relay.routing-delay");
        require(errorLength >= 1, "an error needs a length", errorLength, "postroom.retry.error-length");
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
                probeIntervals);
    }

    private static void require(boolean met, String rule, Object was, String setting) {
        if (!met) {
            throw new PostroomException(rule + " (was " + was + "): change " + setting);
        }
    }
}
