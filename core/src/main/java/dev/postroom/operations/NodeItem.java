package dev.postroom.operations;

import java.time.Instant;

/**
 * A relay that reported; {@code details} is the JSON object it told about itself, {@code report} what that says.
 *
 * @param routing the fingerprint of the routes that it delivers by, see {@link RoutingItem}; empty when it told none
 */
public record NodeItem(
        String node,
        String host,
        String version,
        Instant startedAt,
        Instant lastSeen,
        boolean alive,
        int lanes,
        String details,
        String routing,
        RelayReport report) {

    /** What those may know who are bound to tenants: that it is there, and which destinations take nothing. */
    NodeItem forTenants() {
        return new NodeItem("relay", "", version, startedAt, lastSeen, alive, 0, "{}", "", report.forTenants());
    }
}
