package dev.postroom.testkit.simulation;

import dev.postroom.spi.LaneStore.LiveNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * R61: a relay sends only while its routes are in force, or have been within a lease: it looks when it renews its lanes, and
 * trusts them no longer than that. What it had sent before counts as delivered by the routes of its time.
 */
final class RoutingCheck implements Watcher {
    private final World world;
    private final Map<String, Long> lastInForce = new HashMap<>();
    private final List<String> fingerprints;

    RoutingCheck(World world) {
        this.world = world;
        this.fingerprints = List.of(
                world.newRoutes(0).text().fingerprint(),
                world.newRoutes(1).text().fingerprint());
    }

    @Override
    public void looked(List<LiveNode> nodes) {
        String inForce = inForce(nodes);
        if (inForce != null) {
            lastInForce.put(inForce, world.timeline.now());
        }
    }

    /** In other words than the engine's: rival by rival. */
    private @Nullable String inForce(List<LiveNode> nodes) {
        LiveNode best = null;
        for (LiveNode node : nodes) {
            if (best == null) {
                best = node;
                continue;
            }
            int newer = node.firstSeen().compareTo(best.firstSeen());
            if (newer == 0) {
                newer = node.routing().compareTo(best.routing());
            }
            if (node.ripe() != best.ripe() ? node.ripe() : node.ripe() ? newer > 0 : newer < 0) {
                best = node;
            }
        }
        return best == null ? null : best.routing();
    }

    @Override
    public void sent(Sending sending) {
        String routing = fingerprints.get(sending.relay.version());
        Long last = lastInForce.get(routing);
        if (last == null || sending.at - last > world.scenario.leaseNanos()) {
            throw new Violation(
                    Invariant.ONE_ROUTING,
                    sending.story.key,
                    sending.relay.name() + " sends it to " + sending.destination + " by routes of version "
                            + sending.relay.version() + ", which were "
                            + (last == null ? "never in force" : "last in force at " + Ledger.time(last)));
        }
    }
}
