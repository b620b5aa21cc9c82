package dev.postroom.follow;

import dev.postroom.policy.OnFailure;
import dev.postroom.policy.Routes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Topics by the routes; remembers those that nobody takes, to name them, until a sweep meets none of their messages. */
final class RoutedTopics implements Topics {
    private static final int MOST_REMEMBERED = 10_000;
    private static final int MOST_NAMED = 50;

    private final Routes routes;
    private final Listener listener;
    private final Map<String, Topic> known = new HashMap<>();
    /** With the number of the round in which one was last met. */
    private final Map<Untaken, Long> untaken = new LinkedHashMap<>();

    private long round;

    /**
     * Messages that nobody takes.
     *
     * @param destination where a replay sends them, though no route knows of it; null when no route has their topic
     */
    record Untaken(String topic, @Nullable String destination) {
        String why() {
            return destination == null
                    ? "no route"
                    : "a replay's destination '" + destination + "' is not in the routing in force";
        }
    }

    /** Hears of each when it is first met, and when it is no more. */
    interface Listener {
        void untaken(Untaken what, boolean held);
    }

    RoutedTopics(Routes routes, Listener listener) {
        this.routes = routes;
        this.listener = listener;
    }

    @Override
    public Topic topic(String name) {
        Topic topic = known.get(name);
        if (topic == null) {
            topic = new Topic(
                    name, routes.routeOf(name), routes.onFailure(name) == OnFailure.BLOCK, routes.expireAfter(name));
            if (known.size() < MOST_REMEMBERED) {
                known.put(name, topic);
            }
        }
        return topic;
    }

    @Override
    public long route(Topic topic, @Nullable String onlyDestination) {
        long route = onlyDestination == null
                ? topic.route()
                : routes.knows(onlyDestination) ? routes.mask(onlyDestination) : 0;
        if (route == 0) {
            note(new Untaken(topic.name(), onlyDestination));
        }
        return route;
    }

    private void note(Untaken what) {
        if (untaken.size() < MOST_NAMED || untaken.containsKey(what)) {
            if (untaken.put(what, round) == null) {
                listener.untaken(what, true);
            }
        }
    }

    List<Untaken> untaken() {
        return List.copyOf(untaken.keySet());
    }

    /** What the sweep did not meet is there no more. */
    @Override
    public void sweptAll() {
        forget(what -> untaken.getOrDefault(what, 0L) < round);
        round++;
    }

    void forgetAll() {
        forget(what -> true);
    }

    private void forget(Predicate<Untaken> gone) {
        for (Untaken what : new ArrayList<>(untaken.keySet())) {
            if (gone.test(what)) {
                untaken.remove(what);
                listener.untaken(what, false);
            }
        }
    }
}
