package dev.postroom.follow;

import dev.postroom.operations.Pause;
import dev.postroom.spi.Pauses;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes destinations and topics as paused as operators want them. */
final class Paused {
    private final Traffic traffic;
    private final Collection<Destination> destinations;
    private Set<String> pausedTopics = Set.of();
    /** What was resumed when this was last told; null before the first time, when it may be long ago. */
    private @Nullable Map<String, Instant> resumed;

    Paused(Traffic traffic, Collection<Destination> destinations) {
        this.traffic = traffic;
        this.destinations = destinations;
    }

    /** Everything that is paused now, and what was resumed. */
    void are(Pauses told) {
        List<Pause> pauses = told.paused();
        Map<String, Pause> topics = new LinkedHashMap<>();
        for (Pause pause : pauses) {
            if (pause.target().topic() != null) {
                topics.put(pause.target().topic(), pause);
            }
        }
        for (Destination destination : destinations) {
            Pause pause = of(destination, pauses);
            if (pause != null) {
                traffic.pause(destination, pause.by());
            } else {
                traffic.resume(destination);
            }
            Set<String> ended = new LinkedHashSet<>(pausedTopics);
            ended.removeAll(topics.keySet());
            ended.forEach(topic -> traffic.resume(destination, topic));
            topics.forEach((topic, by) -> traffic.pause(destination, topic, by.by()));
        }
        pausedTopics = Set.copyOf(topics.keySet());
        goOn(told.resumed());
    }

    /** Any change counts: the database's clock may have been set back. */
    private void goOn(Map<String, Instant> now) {
        Map<String, Instant> before = resumed;
        resumed = now;
        if (before != null) {
            for (Destination destination : destinations) {
                Instant at = now.get(destination.name());
                if (at != null && !at.equals(before.get(destination.name()))) {
                    traffic.goOn(destination);
                }
            }
        }
    }

    private static @Nullable Pause of(Destination destination, List<Pause> pauses) {
        for (Pause pause : pauses) {
            String name = pause.target().destination();
            if (pause.target().topic() == null && (name == null || name.equals(destination.name()))) {
                return pause;
            }
        }
        return null;
    }
}
