package dev.postroom.server.serve;

import dev.postroom.PostroomException;
import dev.postroom.policy.OnFailure;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.policy.Route;
import dev.postroom.relay.Destination;
import dev.postroom.relay.Relay;
import dev.postroom.server.database.Installation;
import dev.postroom.server.settings.Section;
import dev.postroom.server.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A relay from settings, ready to be started. What is not set keeps the default of {@link Relay.Builder}.
 *
 * @param routes empty when everything goes to the only destination
 */
public record ConfiguredRelay(Relay.Builder builder, List<Destination> destinations, List<Route> routes) {

    /** Fails, naming the setting, before anything is opened. */
    public static ConfiguredRelay from(Installation installation) {
        Settings settings = installation.settings();
        if (settings.destinations().isEmpty()) {
            throw new PostroomException("there is nowhere to deliver to: configure a destination, such as"
                    + " postroom.destinations.out.type: log, in postroom.yml or the environment");
        }
        List<Destination> destinations = new ArrayList<>();
        settings.destinations().forEach((name, section) -> destinations.add(DestinationSettings.of(name, section)));
        RetryPolicy retry = RetrySettings.of(settings.section("retry"), RetryPolicy.DEFAULT);
        List<Route> routes = settings.routes().values().stream()
                .map(route -> route(route, retry))
                .toList();
        Relay.Builder builder = Relay.on(installation.dataSource())
                .schema(installation.database().names().schema())
                .tablePrefix(installation.database().names().prefix())
                .limits(settings.limits())
                .retry(retry);
        destinations.forEach(builder::deliverTo);
        routes.forEach(builder::route);
        apply(settings.section("relay"), builder);
        settings.section("retry").integer("error-length").ifPresent(builder::errorLength);
        settings.retention().ifPresentOrElse(builder::retention, builder::deleteAfterDelivery);
        settings.auditRetention().ifPresent(builder::auditRetention);
        return new ConfiguredRelay(builder, destinations, routes);
    }

    private static void apply(Section relay, Relay.Builder builder) {
        relay.duration("lease").ifPresent(builder::lease);
        relay.integer("batch-size").ifPresent(builder::batchSize);
        relay.duration("poll-min").ifPresent(builder::pollMin);
        relay.duration("poll-max").ifPresent(builder::pollMax);
        relay.duration("routing-delay").ifPresent(builder::routingDelay);
        relay.integer("max-in-flight").ifPresent(builder::maxInFlight);
        relay.integer("max-in-flight-bytes").ifPresent(builder::maxInFlightBytes);
        relay.duration("stop-timeout").ifPresent(builder::stopTimeout);
        relay.integer("max-crashes").ifPresent(builder::maxCrashes);
    }

    private static Route route(Section section, RetryPolicy otherwise) {
        Route route = Route.of(
                        section.text("topic").orElse("**"),
                        section.words("destinations").toArray(String[]::new))
                .retry(RetrySettings.of(section.section("retry"), otherwise));
        Route failing = section.text("on-failure")
                .map(policy -> route.onFailure(OnFailure.valueOf(policy.toUpperCase(Locale.ROOT))))
                .orElse(route);
        return section.duration("expire-after").map(failing::expireAfter).orElse(failing);
    }
}
