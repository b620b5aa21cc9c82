package dev.postroom.testkit.simulation;

import dev.postroom.spi.Outcome;
import org.jspecify.annotations.Nullable;

/** One try to deliver a message to a destination. */
final class Sending {
    final RelayProcess relay;
    final MessageStory story;
    final String destination;
    final long at;
    /** Since when its relay has read from the server that it knows: what it sends may be known to it since then. */
    final long readSince;

    /** What the transport has found out, or null. */
    @Nullable
    Outcome answer;

    /** What the engine has taken note of, or null: nothing yet, or nothing ever. */
    @Nullable
    Outcome told;

    long toldAt = -1;

    Sending(RelayProcess relay, MessageStory story, String destination, long at) {
        this.relay = relay;
        this.story = story;
        this.destination = destination;
        this.at = at;
        this.readSince = relay.readSince();
    }

    boolean isConfirmed() {
        return told instanceof Outcome.Confirmed;
    }
}
