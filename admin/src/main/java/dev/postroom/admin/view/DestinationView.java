package dev.postroom.admin.view;

import dev.postroom.operations.DestinationItem;
import dev.postroom.operations.NodeItem;
import dev.postroom.operations.Pause;
import dev.postroom.operations.RelayReport.Held;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A destination.
 *
 * @param paused who paused it and why, or null
 * @param breakers what live relays hold of it, because it does not take anything; the same of several relays once
 */
public record DestinationView(String name, @Nullable By paused, List<Breaker> breakers) {

    /** Who, why and when. */
    public record By(String by, String reason, Instant at) {
        static By of(Pause pause) {
            return new By(pause.by(), pause.reason(), pause.since());
        }
    }

    /** A whole destination is held when both are null, else one topic of it, or one type. */
    public record Breaker(@Nullable String topic, @Nullable String type, String why, List<String> nodes) {}

    public static DestinationView of(DestinationItem item, List<NodeItem> nodes) {
        Map<String, Breaker> breakers = new LinkedHashMap<>();
        for (NodeItem node : nodes) {
            if (node.alive()) {
                for (Held held : node.report().held()) {
                    if (held.cause().equals(Held.BREAKER) && item.name().equals(held.destination())) {
                        breakers.merge(held.what(), breaker(held, node), DestinationView::both);
                    }
                }
            }
        }
        Pause pause = item.pause();
        return new DestinationView(item.name(), pause == null ? null : By.of(pause), List.copyOf(breakers.values()));
    }

    private static Breaker breaker(Held held, NodeItem node) {
        return new Breaker(held.topic(), held.type(), held.why(), List.of(node.node()));
    }

    private static Breaker both(Breaker one, Breaker other) {
        List<String> nodes = new java.util.ArrayList<>(one.nodes());
        nodes.addAll(other.nodes());
        return new Breaker(one.topic(), one.type(), one.why(), List.copyOf(nodes));
    }
}
