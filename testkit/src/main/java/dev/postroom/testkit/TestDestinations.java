package dev.postroom.testkit;

import dev.postroom.PostroomException;
import dev.postroom.relay.Destination;
import dev.postroom.secrets.Secrets;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The destinations of a test's relay: each records what it gets, and fails when the test wants it to. For one thread. */
final class TestDestinations implements AutoCloseable {
    private final Map<String, RecordingTransport> recordings = new TreeMap<>();
    private final Map<String, FaultyTransport> faults = new TreeMap<>();

    /** A destination that its relay does not close: the next relay wants it, too. */
    private record Lent(Transport owned) implements Transport {
        @Override
        public void send(Delivery delivery, Consumer<Outcome> outcome) {
            owned.send(delivery, outcome);
        }

        @Override
        public boolean keepsOrder() {
            return owned.keepsOrder();
        }

        @Override
        public int capacity() {
            return owned.capacity();
        }

        @Override
        public String description() {
            return owned.description();
        }

        @Override
        public Secrets secrets() {
            return owned.secrets();
        }
    }

    void add(String name, RecordingTransport recording) {
        if (recordings.putIfAbsent(name, recording) != null) {
            throw new PostroomException("there are two destinations called '" + name + "': rename one of them");
        }
        faults.put(name, FaultyTransport.around(recording));
    }

    boolean isEmpty() {
        return recordings.isEmpty();
    }

    /** By name, for a relay. */
    Map<String, Transport> lent() {
        Map<String, Transport> lent = new TreeMap<>();
        faults.forEach((name, transport) -> lent.put(name, new Lent(transport)));
        return lent;
    }

    RecordingTransport transport(String name) {
        return find(recordings, name);
    }

    FaultyTransport faults(String name) {
        return find(faults, name);
    }

    String onlyName() {
        if (recordings.size() == 1) {
            return recordings.keySet().iterator().next();
        }
        throw new PostroomException("there are " + recordings.size() + " destinations: say which of "
                + recordings.keySet() + " is meant, as in transport(\"" + Destination.DEFAULT_NAME + "\")");
    }

    private static <T> T find(Map<String, T> destinations, String name) {
        T found = destinations.get(name);
        if (found == null) {
            throw new PostroomException(
                    "there is no destination called '" + name + "': there are " + destinations.keySet());
        }
        return found;
    }

    /** Forgets deliveries and faults. */
    void reset() {
        recordings.values().forEach(RecordingTransport::clear);
        faults.values().forEach(FaultyTransport::heal);
    }

    @Override
    public void close() {
        faults.values().forEach(FaultyTransport::close);
    }
}
