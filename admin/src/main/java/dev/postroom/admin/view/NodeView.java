package dev.postroom.admin.view;

import dev.postroom.operations.NodeItem;
import java.time.Instant;

/**
 * A relay that reported.
 *
 * @param routing the fingerprint of its routes; empty when it told none
 * @param details the JSON object it told about itself, parsed
 */
public record NodeView(
        String node,
        String host,
        String version,
        Instant startedAt,
        Instant lastSeen,
        boolean alive,
        int lanes,
        String routing,
        Object details) {

    public static NodeView of(NodeItem item) {
        return new NodeView(
                item.node(),
                item.host(),
                item.version(),
                item.startedAt(),
                item.lastSeen(),
                item.alive(),
                item.lanes(),
                item.routing(),
                ViewJson.parsed(item.details()));
    }
}
