package dev.postroom.relay;

import dev.postroom.engine.Engine;
import dev.postroom.engine.EngineListener;
import dev.postroom.engine.EngineSettings;
import dev.postroom.engine.Surroundings;
import dev.postroom.follow.FollowingEngine;
import dev.postroom.policy.Routes;
import dev.postroom.spi.Destinations;
import dev.postroom.spi.Owing;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Everything a relay is made of, checked. Immutable.
 *
 * @param template an engine's settings, all but its owner's name, which is new for every engine
 * @param bits what the database calls the destinations
 */
record RelayPlan(Conduct conduct, RelayDatabase database, Routing routing, EngineSettings template, Destinations bits) {

    /** Where topics go, for the reader's thread. */
    Owing owing() {
        Routes routes = routing.routes(bits);
        return (topic, onlyDestination) -> {
            if (onlyDestination == null) {
                return routes.routeOf(topic);
            }
            return routes.knows(onlyDestination) ? routes.mask(onlyDestination) : 0;
        };
    }

    /** An engine that nobody can take for another one. */
    Engine newEngine(Outlets outlets, EngineListener listener) {
        String owner = conduct.name() + "-"
                + Long.toHexString(ThreadLocalRandom.current().nextLong());
        Engine engine = new FollowingEngine(
                template.ownedBy(owner),
                new Surroundings(
                        routing.routes(bits),
                        routing.pipelines(),
                        outlets::credit,
                        () -> ThreadLocalRandom.current().nextDouble(),
                        listener));
        engine.deliversTo(routing.addresses());
        return engine;
    }
}
