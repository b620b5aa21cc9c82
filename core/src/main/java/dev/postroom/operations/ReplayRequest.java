package dev.postroom.operations;

import dev.postroom.PostroomException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which archived messages are to be sent again, to which destination.
 *
 * @param from processed at or after
 * @param to processed before
 * @param ratePerSecond how many become due a second; null for all at once
 */
public record ReplayRequest(
        @Nullable String tenant,
        String topic,
        @Nullable String key,
        @Nullable Instant from,
        @Nullable Instant to,
        String destination,
        @Nullable Integer ratePerSecond) {

    public ReplayRequest {
        if (topic.isBlank()) {
            throw new PostroomException("a replay needs the topic whose messages are to be sent again");
        }
        if (destination.isBlank()) {
            throw new PostroomException("a replay needs the destination to send to");
        }
        if (ratePerSecond != null && ratePerSecond < 1) {
            throw new PostroomException("the rate must be at least 1 message per second (was " + ratePerSecond
                    + "): leave it out to send all at once");
        }
        if (from != null && to != null && !from.isBefore(to)) {
            throw new PostroomException("a replay's from must lie before its to (was " + from + " and " + to + ")");
        }
    }

    ReplayRequest ofTenant(@Nullable String value) {
        return new ReplayRequest(value, topic, key, from, to, destination, ratePerSecond);
    }

    /** For people and the audit: {@code topic=orders.created to destination=audit}. */
    public String describe() {
        return (tenant == null ? "" : "tenant=" + tenant + " ")
                + "topic=" + topic
                + (key == null ? "" : " key=" + key)
                + (from == null ? "" : " from=" + from)
                + (to == null ? "" : " to=" + to)
                + " destination=" + destination
                + (ratePerSecond == null ? "" : " rate=" + ratePerSecond + "/s");
    }
}
