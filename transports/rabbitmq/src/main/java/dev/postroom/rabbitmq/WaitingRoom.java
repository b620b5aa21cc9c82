package dev.postroom.rabbitmq;

import java.time.Duration;

/**
 * A queue in which a message waits for this long, or for the rest of its delay. A long delay is spent in several rooms, one
 * after the other.
 *
 * <p>There are always these, whatever the delays are: nobody would look after messages that wait in queues of an earlier
 * setting. In each all wait equally long, so that nobody waits behind another who waits longer; only in the shortest, where
 * delays end, that can cost a second. The longest is well below the time after which a broker takes a message away from a
 * consumer that neither confirms nor refuses it (15 minutes at the least).
 */
enum WaitingRoom {
    S1(1),
    S4(4),
    S16(16),
    S64(64),
    S256(256);

    private final int seconds;

    WaitingRoom(int seconds) {
        this.seconds = seconds;
    }

    /** Where to wait first, when there are so many milliseconds to wait. */
    static WaitingRoom of(long millis) {
        WaitingRoom longest = S1;
        for (WaitingRoom room : values()) {
            if (room.millis() <= millis) {
                longest = room;
            }
        }
        return longest;
    }

    long millis() {
        return Duration.ofSeconds(seconds).toMillis();
    }

    String queue(InboxSettings settings) {
        return settings.queue() + ".wait." + seconds + "s";
    }
}
