package dev.postroom.admin.view;

import dev.postroom.operations.AddressDifference;
import dev.postroom.operations.NodeItem;
import dev.postroom.operations.RoutingDifference;
import dev.postroom.operations.RoutingGap;
import dev.postroom.operations.RoutingGaps;
import dev.postroom.operations.RoutingItem;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What messages are delivered by.
 *
 * @param items the routings that relays have had, the newest first
 * @param handover lanes are still being handed over to the routes in force; which destinations joined is told afterwards
 * @param joined destinations that others' messages of the last days did not go to
 * @param moreJoined how many there are beside those
 * @param standingBy live relays whose routes are not in force, and how these differ
 * @param addresses destinations that live relays reach at different addresses
 */
public record RoutingView(
        List<Item> items,
        boolean handover,
        List<Joined> joined,
        int moreJoined,
        List<RoutingDifference> standingBy,
        List<AddressDifference> addresses) {
    private static final int SHOWN = 100;

    /**
     * A routing, a line per route.
     *
     * @param whole whether these are all of its routes; very many are not recorded, and which destinations joined them is not told
     */
    public record Item(
            String fingerprint,
            List<String> routes,
            boolean whole,
            boolean inForce,
            Instant firstSeen,
            @Nullable Instant inForceFrom,
            @Nullable Instant inForceTo) {}

    /**
     * A destination that joined.
     *
     * @param topic a topic, a route's pattern, or "some topics of" one
     * @param since from when on it receives the topics; what was delivered before went without it
     * @param replay the command that sends that as well
     */
    public record Joined(String topic, String destination, Instant since, String replay) {}

    public static RoutingView of(List<RoutingItem> routings, List<NodeItem> nodes, Instant now) {
        RoutingGaps gaps = RoutingGaps.recent(routings, now);
        return new RoutingView(
                routings.stream().limit(SHOWN).map(RoutingView::item).toList(),
                RoutingGap.isHandover(routings),
                gaps.told().stream()
                        .map(gap -> new Joined(gap.topics(), gap.destination(), gap.to(), gap.replay()))
                        .toList(),
                gaps.more(),
                RoutingDifference.of(routings, nodes),
                AddressDifference.of(nodes));
    }

    private static Item item(RoutingItem routing) {
        return new Item(
                routing.fingerprint(),
                routing.routes().text().lines().toList(),
                routing.isWhole(),
                routing.isInForce(),
                routing.firstSeen(),
                routing.inForceFrom(),
                routing.inForceTo());
    }
}
