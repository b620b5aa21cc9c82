package dev.postroom.relay;

import dev.postroom.engine.Engine;
import dev.postroom.engine.EngineListener;
import dev.postroom.engine.EngineSettings;
import dev.postroom.spi.Destinations;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Everything a relay is made of, checked. Immutable.
 *
 * @param template an engine's settings, all but its owner's name, which is new for every engine
 * @param bits what the database calls the destinations
 */
record RelayPlan(Conduct conduct, RelayDatabase database, Routing routing, EngineSettings template, Destinations bits) {

    /** An engine that nobody can take for another one. */
    Engine newEngine(EngineListener listener) {
        String owner = conduct.name() + "-"
                + Long.toHexString(ThreadLocalRandom.current().nextLong());
        Engine engine = new Engine(
                template.ownedBy(owner),
                routing.routes(bits),
                routing.pipelined(),
                () -> ThreadLocalRandom.current().nextDouble(),
                listener);
        engine.deliversTo(routing.addresses());
        return engine;
    }
}
