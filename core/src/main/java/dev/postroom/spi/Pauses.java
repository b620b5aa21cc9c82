package dev.postroom.spi;

import dev.postroom.operations.Pause;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What operators want of the relays' traffic.
 *
 * @param paused what is not to be sent to, or of
 * @param resumed by destination, when an operator last said that it is to go on; those of which nobody has are not in it
 */
public record Pauses(List<Pause> paused, Map<String, Instant> resumed) {
    public static final Pauses NONE = new Pauses(List.of(), Map.of());

    public Pauses {
        paused = List.copyOf(paused);
        resumed = Map.copyOf(resumed);
    }
}
