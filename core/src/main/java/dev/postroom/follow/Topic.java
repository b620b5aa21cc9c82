package dev.postroom.follow;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a topic means for its messages.
 *
 * @param route bits of the destinations where they go; 0 when nobody takes them
 * @param holdsStream whether one that fails, or is put off, keeps later ones of its stream back (BLOCK; not SKIP)
 * @param expireAfter for how long a lone message of it is tried that is never answered; null for ever
 */
record Topic(
        String name,
        long route,
        boolean holdsStream,
        @Nullable Duration expireAfter) {

    Topic(String name, long route, boolean holdsStream) {
        this(name, route, holdsStream, null);
    }
}
