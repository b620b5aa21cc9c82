package dev.postroom.policy;

import dev.postroom.FailureReason;
import dev.postroom.PostroomException;
import dev.postroom.operations.RoutingText;
import dev.postroom.spi.Destinations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All routes of a relay; the first that matches a topic is its route. Immutable, apart from remembering which route a topic
 * has; for one thread.
 */
public final class Routes {
    /** Topics that are remembered; more than that are looked up each time. */
    private static final int MOST_REMEMBERED = 10_000;

    private final List<Matched> routes = new ArrayList<>();
    private final List<String> names;
    private final Destinations bits;
    private final RetryPolicy defaultRetry;
    private final Map<String, Matched> byTopic = new HashMap<>();
    private final Matched none;
    private final RoutingText text;

    private record Matched(
            Predicate<String> topics, @Nullable Route route, long mask) {}

    /** Every destination that a route names must be one of these. */
    public Routes(List<Route> routes, RetryPolicy defaultRetry, Destinations bits) {
        this.bits = bits;
        this.defaultRetry = defaultRetry;
        this.none = new Matched(topic -> true, null, 0);
        for (Route route : routes) {
            long mask = 0;
            for (String destination : route.destinations()) {
                if (!bits.bits().containsKey(destination)) {
                    throw new PostroomException(
                            "the route of topic '" + route.topic().glob()
                                    + "' names destination '" + destination + "', which is not configured: have "
                                    + bits.bits().keySet().stream().sorted().toList());
                }
                mask |= bits.mask(destination);
            }
            this.routes.add(new Matched(route.topic().matcher(), route, mask));
        }
        this.text = textOf(routes);
        this.names = bits.bits().keySet().stream().sorted().toList();
    }

    /** What relays must agree on to deliver side by side. */
    public static RoutingText textOf(List<Route> routes) {
        return RoutingText.of(routes.stream().map(Route::line).toList());
    }

    /** All destinations that these routes name. */
    public static Set<String> destinationsOf(List<Route> routes) {
        Set<String> names = new LinkedHashSet<>();
        routes.forEach(route -> names.addAll(route.destinations()));
        return names;
    }

    /** See {@link #textOf}. */
    public RoutingText text() {
        return text;
    }

    /** The names of all destinations. */
    public List<String> destinations() {
        return names;
    }

    public long mask(String destination) {
        return bits.mask(destination);
    }

    /** Whether there is a destination of this name. */
    public boolean knows(String destination) {
        return bits.bits().containsKey(destination);
    }

    /** The bits of a topic's destinations; 0 when no route matches. */
    public long routeOf(String topic) {
        return matched(topic).mask();
    }

    public OnFailure onFailure(String topic) {
        Route route = matched(topic).route();
        return route == null ? OnFailure.BLOCK : route.onFailure();
    }

    /** See {@link Route#expireAfter(Duration)}; null for never. */
    public @Nullable Duration expireAfter(String topic) {
        Route route = matched(topic).route();
        return route == null ? null : route.expireAfter();
    }

    /** The schedule for a failure: by its reason, by the message's type, by its route, else the relay's. */
    public RetryPolicy retry(String topic, @Nullable String type, FailureReason reason) {
        Route route = matched(topic).route();
        if (route == null) {
            return defaultRetry;
        }
        RetryPolicy policy = route.retryByReason().get(reason);
        if (policy == null && type != null) {
            policy = route.retryByType().get(type);
        }
        if (policy == null) {
            policy = route.retry();
        }
        return policy == null ? defaultRetry : policy;
    }

    private Matched matched(String topic) {
        Matched known = byTopic.get(topic);
        if (known == null) {
            known = routes.stream()
                    .filter(route -> route.topics().test(topic))
                    .findFirst()
                    .orElse(none);
            if (byTopic.size() < MOST_REMEMBERED) {
                byTopic.put(topic, known);
            }
        }
        return known;
    }
}
