package dev.postroom.engine;

import dev.postroom.spi.LaneStore.LiveNode;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which routing is in force: the newest of which a relay is ripe, that is, has lived for its own routing delay, so that a
 * version that crashes at its start never takes over. Where no relay has lived that long, as at a first start, nobody waits: it is the oldest then.
 *
 * <p>Each relay decides by what it has read, and may be a beat behind the others. That does no harm: lanes change hands by
 * lease and epoch only, and whoever finds that it is not in force gives back what it has.
 */
final class InForce {
    /** Of two that were seen at the same instant, everybody must choose the same. */
    private static final Comparator<LiveNode> BY_AGE_OF_ROUTING =
            Comparator.comparing(LiveNode::firstSeen).thenComparing(LiveNode::routing);

    private InForce() {}

    /** A relay that has it; null when nobody lives who told a routing. */
    static @Nullable LiveNode among(List<LiveNode> nodes) {
        return routed(nodes)
                .filter(LiveNode::ripe)
                .max(BY_AGE_OF_ROUTING)
                .or(() -> routed(nodes).min(BY_AGE_OF_ROUTING))
                .orElse(null);
    }

    private static Stream<LiveNode> routed(List<LiveNode> nodes) {
        return nodes.stream().filter(node -> !node.routing().isEmpty());
    }
}
