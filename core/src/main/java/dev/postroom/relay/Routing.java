package dev.postroom.relay;

import dev.postroom.PostroomException;
import dev.postroom.engine.BreakerSettings;
import dev.postroom.engine.Pipelines;
import dev.postroom.operations.RoutingText;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.policy.Route;
import dev.postroom.policy.Routes;
import dev.postroom.spi.Destinations;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Which messages go where. Immutable. */
record Routing(List<Destination> destinations, List<Route> routes, RetryPolicy retry) {

    Routing {
        destinations = List.copyOf(destinations);
        if (destinations.isEmpty()) {
            throw new PostroomException(
                    "a relay needs somewhere to deliver to: give deliverTo a transport, or configure"
                            + " postroom.destinations.NAME.type");
        }
        Set<String> names = destinations.stream().map(Destination::name).collect(Collectors.toSet());
        if (names.size() < destinations.size()) {
            throw new PostroomException("two destinations have the same name (have "
                    + destinations.stream().map(Destination::name).toList()
                    + "): give each deliverTo a name of its own");
        }
        if (routes.isEmpty() && destinations.size() > 1) {
            throw new PostroomException(
                    "there are several destinations " + names.stream().sorted().toList()
                            + " and no route that says which messages go where: add route(Route.of(\"**\", …)), or"
                            + " postroom.routes[0].topic and .destinations");
        }
        routes = routes.isEmpty() ? List.of(Route.of("**", destinations.get(0).name())) : List.copyOf(routes);
    }

    List<String> names() {
        return destinations.stream().map(Destination::name).toList();
    }

    /** Destinations whose transport keeps the order of what it is handed. */
    Pipelines pipelines() {
        return new Pipelines(destinations.stream()
                .filter(destination -> destination.transport().keepsOrder())
                // Messages of one topic go to one topic of the broker; whether others do is not asked.
                .collect(Collectors.toMap(Destination::name, destination -> UnaryOperator.identity())));
    }

    /** What relays must agree on to deliver side by side. */
    RoutingText text() {
        return Routes.textOf(routes);
    }

    /** Where each destination is, for people. No part of what relays must agree on: it may differ between zones. */
    Map<String, String> addresses() {
        return destinations.stream().collect(Collectors.toMap(Destination::name, Routing::address));
    }

    private static String address(Destination destination) {
        return destination.transport().secrets().hide(destination.transport().description());
    }

    /** For one engine: it remembers topics, and is for one thread. */
    Routes routes(Destinations bits) {
        return new Routes(routes, retry, bits);
    }

    /** When each is held. */
    Map<String, BreakerSettings> breakers() {
        return destinations.stream()
                .collect(Collectors.toMap(
                        Destination::name,
                        destination -> new BreakerSettings(destination.probeInterval(), destination.failuresInARow())));
    }
}
