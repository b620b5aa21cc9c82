package dev.postroom.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The gaps that an operator may still want to close, as far as they fit on a page.
 *
 * @param more how many there are beside those that are told
 */
public record RoutingGaps(List<RoutingGap> told, int more) {
    /** What is archived longer ago is gone by default. */
    private static final Duration TOLD_FOR = Duration.ofDays(7);

    private static final int MOST_TOLD = 20;

    public static RoutingGaps recent(List<RoutingItem> routings, Instant now) {
        List<RoutingGap> recent = RoutingGap.of(routings).stream()
                .filter(gap -> gap.to().isAfter(now.minus(TOLD_FOR)))
                .toList();
        List<RoutingGap> told = recent.stream().limit(MOST_TOLD).toList();
        return new RoutingGaps(told, recent.size() - told.size());
    }

    /** In words, or empty when all are told. */
    public String moreInWords() {
        return more == 0
                ? ""
                : more + " more destinations joined (" + (more + told.size())
                        + " in all): for each of their routes, 'postroom replay --route PATTERN' sends what its topics lack";
    }
}
