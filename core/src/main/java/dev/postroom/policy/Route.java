package dev.postroom.policy;

import dev.postroom.FailureReason;
import dev.postroom.PostroomException;
import dev.postroom.operations.RoutingText;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where messages of a topic go, and what happens when they fail. Immutable.
 *
 * @param destinations names; a message is done when all of them have confirmed it
 * @param retry the schedule, or null for the relay's
 * @param retryByType schedules for messages of a type, before {@code retry}
 * @param retryByReason schedules for failures of a reason, before the others
 * @param expireAfter when a lone message that is never answered is given up, or null for never; see {@link #expireAfter(Duration)}
 */
public record Route(
        TopicPattern topic,
        List<String> destinations,
        OnFailure onFailure,
        @Nullable RetryPolicy retry,
        Map<String, RetryPolicy> retryByType,
        Map<FailureReason, RetryPolicy> retryByReason,
        @Nullable Duration expireAfter) {

    public Route {
        destinations = List.copyOf(destinations);
        retryByType = Map.copyOf(retryByType);
        retryByReason = Map.copyOf(retryByReason);
        if (destinations.isEmpty()) {
            throw new PostroomException("the route of topic '" + topic.glob()
                    + "' has no destination: name one in postroom.routes[n].destinations");
        }
        if (expireAfter != null && (expireAfter.isNegative() || expireAfter.isZero())) {
            throw new PostroomException(
                    "the route of topic '" + topic.glob() + "' must have an expiry of more than nothing (was "
                            + expireAfter + "): change postroom.routes[n].expire-after, or leave it out for never");
        }
        if (Set.copyOf(destinations).size() < destinations.size()) {
            throw new PostroomException(
                    "the route of topic '" + topic.glob() + "' names a destination twice: " + destinations);
        }
    }

    /** Topics that match the glob go to these destinations. */
    public static Route of(String topic, String... destinations) {
        return new Route(
                new TopicPattern(topic), List.of(destinations), OnFailure.BLOCK, null, Map.of(), Map.of(), null);
    }

    /** What of it decides where messages go, and in which order; not how often they are tried. */
    RoutingText.Line line() {
        return new RoutingText.Line(topic.glob(), destinations, onFailure.name().toLowerCase(Locale.ROOT));
    }

    public Route onFailure(OnFailure policy) {
        return new Route(topic, destinations, policy, retry, retryByType, retryByReason, expireAfter);
    }

    public Route retry(@Nullable RetryPolicy policy) {
        return new Route(topic, destinations, onFailure, policy, retryByType, retryByReason, expireAfter);
    }

    public Route retryOfType(String type, RetryPolicy policy) {
        Map<String, RetryPolicy> changed = new java.util.HashMap<>(retryByType);
        changed.put(type, policy);
        return new Route(topic, destinations, onFailure, retry, changed, retryByReason, expireAfter);
    }

    public Route retryAfter(FailureReason reason, RetryPolicy policy) {
        Map<FailureReason, RetryPolicy> changed = new java.util.HashMap<>(retryByReason);
        changed.put(reason, policy);
        return new Route(topic, destinations, onFailure, retry, retryByType, changed, expireAfter);
    }

    /**
     * Gives up a message of which every try has ended without an answer for so long, by a timeout or a broken connection. Only where nothing
     * was confirmed there meanwhile, and where messages of fewer than three streams were tried: with more, the destination is down, and
     * nothing dies of that. By default such a message is tried for ever. A relay counts from its own first try.
     */
    public Route expireAfter(Duration time) {
        return new Route(topic, destinations, onFailure, retry, retryByType, retryByReason, time);
    }
}
