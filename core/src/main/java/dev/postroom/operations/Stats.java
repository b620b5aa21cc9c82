package dev.postroom.operations;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outbox at a glance. Counts are exact up to {@value MessagePage#EXACT_UP_TO} and estimates above, so that asking
 * costs the same whatever the backlog.
 *
 * @param backlog everything still to be delivered, scheduled messages included, dead ones not
 * @param scheduled messages with a delivery or retry time in the future
 * @param blockedStreams streams in which a later message waits for a failed or dead one; of the first
 *     {@value MessagePage#EXACT_UP_TO} messages that hold their stream
 * @param blockedMessages messages that wait so, of whatever topic: not failed themselves, delayed ones included; counted up to
 *     {@value MessagePage#EXACT_UP_TO}
 * @param failedPending messages that failed at least once and are not dead
 * @param inFlight the sum of what live relays report
 * @param oldestAgeSeconds how long the oldest message has waited that is neither scheduled nor dead, since it was written
 *     or came due; blocked ones count. 0 when there is none
 * @param throughputPerSecond deliveries per second in the last minute, by the reports of live relays; where there are none,
 *     how many were archived
 * @param failureRatio failed attempts among all outcomes of the last minute
 * @param nextDue when the next scheduled message is due, or null; {@code latestDue} is when the last one is
 */
public record Stats(
        long backlog,
        boolean backlogIsExact,
        long scheduled,
        long blockedStreams,
        long blockedMessages,
        long failedPending,
        long dead,
        long inFlight,
        double oldestAgeSeconds,
        double throughputPerSecond,
        double failureRatio,
        @Nullable Instant nextDue,
        @Nullable Instant latestDue) {

    /** With the rates that live relays tell, where there is one. */
    Stats withRates(List<NodeItem> nodes) {
        RecentRates rates = RecentRates.of(nodes);
        return rates == null
                ? this
                : new Stats(
                        backlog,
                        backlogIsExact,
                        scheduled,
                        blockedStreams,
                        blockedMessages,
                        failedPending,
                        dead,
                        inFlight,
                        oldestAgeSeconds,
                        rates.perSecond(),
                        rates.failureRatio(),
                        nextDue,
                        latestDue);
    }
}
