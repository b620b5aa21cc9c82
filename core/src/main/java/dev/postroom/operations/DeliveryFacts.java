package dev.postroom.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the tables say about a live message that explains why it has not been sent.
 *
 * @param now the database's clock when this was read
 * @param due when it is to be delivered or tried, or null for at once
 * @param defect why it can never be read (broken headers), or null
 * @param heldBy the first earlier message of its stream that it waits for, of whatever topic, or null
 * @param pauses what is paused and concerns it: everything, its topic, or any destination
 * @param laneOwner the relay that owns its lane, or null
 * @param laneExpired whether that relay's lease has ended
 * @param liveRelays how many relays reported lately
 * @param absent where it is to be replayed to, if no relay in force has that destination
 * @param unrouted whether the routing in force has no route for its topic
 */
public record DeliveryFacts(
        Instant now,
        @Nullable Instant due,
        @Nullable String defect,
        @Nullable HeldBy heldBy,
        List<Pause> pauses,
        @Nullable String laneOwner,
        boolean laneExpired,
        int liveRelays,
        @Nullable AbsentDestination absent,
        boolean unrouted) {
    /** A relay that has not reported for so long is taken for gone. */
    public static final Duration RELAY_SILENCE = Duration.ofSeconds(30);

    /**
     * The first message of the stream that another one waits for: one that failed, one that is dead, or one that is pending and still
     * has to go where the other has to go as well.
     *
     * @param destinations where both still have to go by the routing in force; empty when that is not known
     * @param headers its headers, by which it is known what its error must not tell; null when they are too long to be read
     */
    public record HeldBy(
            UUID id,
            String topic,
            MessageStatus status,
            List<String> destinations,
            @Nullable String error,
            @Nullable Map<String, String> headers) {}
}
