package dev.postroom.operations;

import java.time.Instant;
import java.util.List;

/**
 * A destination that joined: messages of the topics that were delivered before did not go there.
 *
 * @param topic a topic, or the pattern of the route that they have now
 * @param partial only some of the topics that have this route: others went there before as well
 * @param from when routes without it were first in force
 * @param to when they were last in force: since then the destination receives
 */
public record RoutingGap(String topic, boolean partial, String destination, Instant from, Instant to) {

    /**
     * The gaps of the routing in force; of any others nobody knows whether they matter. None as long as lanes are handed
     * over, because none has its end yet.
     */
    public static List<RoutingGap> of(List<RoutingItem> routings) {
        return isHandover(routings) ? List.of() : new GapSearch(routings).gaps();
    }

    /** Whether lanes are left that were last taken for routes that are not in force any more. */
    public static boolean isHandover(List<RoutingItem> routings) {
        return routings.stream().anyMatch(routing -> !routing.isInForce() && routing.lanes() > 0);
    }

    /** Which topics, in words. */
    public String topics() {
        return partial ? "some topics of " + topic : topic;
    }

    /** The command that closes it, as a shell takes it. */
    public String replay() {
        boolean exact = topic.indexOf('*') < 0;
        return "postroom replay "
                + (exact ? "--topic " + ShellWord.of(RoutingText.topic(topic)) : "--route " + ShellWord.of(topic))
                + " --destination " + ShellWord.of(destination) + " --from " + from + " --to " + to + " --reason "
                + ShellWord.of(destination + " joined the route of " + RoutingText.topic(topic));
    }
}
