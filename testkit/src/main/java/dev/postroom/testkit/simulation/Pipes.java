package dev.postroom.testkit.simulation;

import dev.postroom.testkit.simulation.database.KeyedStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Transports that keep the order of what they are handed, for each topic of the broker apart: messages arrive in that order,
 * and when one fails, what was handed over behind it in its stream is given back unsent until the relay has heard of it.
 */
final class Pipes {
    private final World world;
    /** By relay, destination and topic of the broker: when the latest was put on the wire, and arrives. */
    private final Map<String, Long> onWire = new HashMap<>();

    private final Map<String, Long> there = new HashMap<>();
    /** By stream, what failed. */
    private final Map<KeyedStream, Set<Sending>> broken = new HashMap<>();

    Pipes(World world) {
        this.world = world;
    }

    private @Nullable String pipe(Sending sending) {
        var topicOf = world.scenario.pipelines().get(sending.destination);
        return topicOf == null
                ? null
                : sending.relay.name() + " " + sending.destination + " " + topicOf.apply(sending.story.stream.topic());
    }

    /** What the message is in order with. */
    private static KeyedStream order(Sending sending) {
        return KeyedStream.of(sending.story.stream);
    }

    long whenOnWire(Sending sending, long soonest) {
        return inOrder(onWire, sending, soonest);
    }

    long whenThere(Sending sending, long soonest) {
        return inOrder(there, sending, soonest);
    }

    private long inOrder(Map<String, Long> latest, Sending sending, long soonest) {
        String pipe = pipe(sending);
        if (pipe == null || world.isBroken(BrokenVariant.PIPELINE_WITHOUT_ORDER)) {
            return soonest;
        }
        return latest.merge(pipe, soonest, (before, now) -> Math.max(before + 1, now));
    }

    /** Whether it was handed over behind one that failed, before the relay had heard of that. */
    boolean isBroken(Sending sending) {
        String pipe = pipe(sending);
        return pipe != null
                && sending.story.stream.isOrdered()
                && broken.getOrDefault(order(sending), Set.of()).stream()
                        .anyMatch(failed -> failed.relay == sending.relay
                                && failed.at <= sending.at
                                && (failed.toldAt < 0 || failed.toldAt > sending.at)
                                && pipe.equals(pipe(failed)));
    }

    void failed(Sending sending) {
        if (pipe(sending) != null && sending.story.stream.isOrdered()) {
            broken.computeIfAbsent(order(sending), stream -> new HashSet<>()).add(sending);
        }
    }
}
