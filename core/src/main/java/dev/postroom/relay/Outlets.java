package dev.postroom.relay;

import dev.postroom.engine.Command;
import dev.postroom.engine.Credit;
import dev.postroom.spi.Tracing;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All destinations of a relay. For one thread. */
final class Outlets {
    private final Map<String, Outlet> byName = new LinkedHashMap<>();

    Outlets(Collection<Destination> destinations, Mailbox mailbox, Tracing tracing) {
        destinations.forEach(destination -> byName.put(destination.name(), new Outlet(destination, mailbox, tracing)));
    }

    /** Of these outlets, for any thread: they stay the same from here on. */
    RelayView viewOf(String relay) {
        Map<String, Outlet> outlets = Map.copyOf(byName);
        List<String> names = List.copyOf(byName.keySet());
        return new RelayView() {
            @Override
            public String name() {
                return relay;
            }

            @Override
            public List<String> destinations() {
                return names;
            }

            @Override
            public int underWay(String destination) {
                Outlet outlet = outlets.get(destination);
                return outlet == null ? 0 : outlet.underWay();
            }
        };
    }

    void send(Command.Send command, long now) {
        outlet(command.destination()).send(command, now);
    }

    void turn(long now) {
        byName.values().forEach(outlet -> outlet.turn(now));
    }

    long nextTurn() {
        long next = Long.MAX_VALUE;
        for (Outlet outlet : byName.values()) {
            next = Math.min(next, outlet.nextTurn());
        }
        return next;
    }

    /** Whether a transport still owes an answer. */
    boolean isAwaiting() {
        return byName.values().stream().anyMatch(Outlet::isAwaiting);
    }

    /** How much a destination takes. */
    Credit credit(String destination) {
        return outlet(destination);
    }

    private Outlet outlet(String destination) {
        Outlet outlet = byName.get(destination);
        if (outlet == null) {
            throw new IllegalStateException("there is no destination '" + destination + "'");
        }
        return outlet;
    }
}
