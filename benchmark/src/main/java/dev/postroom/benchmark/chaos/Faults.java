package dev.postroom.benchmark.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Makes trouble, one after the other, sometimes the next before the last is over. The same seed makes the same. */
final class Faults implements AutoCloseable {
    private static final int MOST_JUMP_SECONDS = 600;

    private final Place place;
    private final Path log;
    private final SplittableRandom random;
    private final List<Fault> kinds;
    private final List<RelayProcess> relays = new ArrayList<>();
    private final List<RelayProcess> frozen = new ArrayList<>();
    private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);

    Faults(Place place, Path log, SplittableRandom random, List<Fault> kinds, int relayCount) throws IOException {
        this.place = place;
        this.log = log;
        this.random = random;
        this.kinds = List.copyOf(kinds);
        for (int i = 0; i < relayCount; i++) {
            relays.add(startRelay());
        }
    }

    private RelayProcess startRelay() throws IOException {
        return RelayProcess.start(place, log);
    }

    /** Makes the next one, and waits a while. */
    void next() throws IOException, InterruptedException {
        if (kinds.isEmpty()) {
            Thread.sleep(500); // a run in peace
            return;
        }
        Fault fault = kinds.get(random.nextInt(kinds.size()));
        counts.merge(fault, 1, Integer::sum);
        int victim = random.nextInt(relays.size());
        switch (fault) {
            case KILL -> replace(victim);
            case STOP -> freeze(relays.get(victim));
            case DB -> breakNetwork();
            case BROKER -> {
                place.broker.kill();
                Thread.sleep(random.nextInt(1_000)); // so long it is gone
                place.broker.restart();
            }
            case CLOCK -> relays.get(victim).setClock(jump());
        }
        // Faults come irregularly, so that they meet relays in all states.
        Thread.sleep(300 + random.nextInt(1_500)); // peace between two faults
    }

    /** Never so little that it might be taken for a clock that runs a bit fast. */
    private Duration jump() {
        Duration jump = Duration.ofSeconds(MOST_JUMP_SECONDS / 10 + random.nextInt(MOST_JUMP_SECONDS));
        return random.nextBoolean() ? jump : jump.negated();
    }

    private void replace(int victim) throws IOException, InterruptedException {
        RelayProcess killed = relays.get(victim);
        frozen.remove(killed);
        killed.kill();
        relays.set(victim, startRelay());
    }

    /** Whoever was frozen before is woken first, by then long without its lanes. */
    private void freeze(RelayProcess relay) throws IOException, InterruptedException {
        for (RelayProcess sleeper : frozen) {
            sleeper.wake();
        }
        frozen.clear();
        relay.freeze();
        frozen.add(relay);
        if (random.nextBoolean()) {
            Thread.sleep(RelayProcess.LEASE.toMillis() + random.nextInt(2_000)); // frozen beyond its lease
            relay.wake();
            frozen.remove(relay);
        }
    }

    private void breakNetwork() throws InterruptedException {
        if (random.nextBoolean()) {
            // Commits get through, their answers do not.
            place.network.stallAnswers();
            Thread.sleep(50 + random.nextInt(500));
            place.network.cut();
            place.network.flow();
        } else {
            place.network.refuse();
            Thread.sleep(random.nextInt(3_000));
            place.network.accept();
        }
    }

    /** From now on all is well. */
    void heal() throws IOException, InterruptedException {
        for (RelayProcess sleeper : frozen) {
            sleeper.wake();
        }
        frozen.clear();
        for (RelayProcess relay : relays) {
            if (!relay.isAlive()) {
                throw new IOException("a relay ended by itself, which it must never do: see " + log);
            }
        }
    }

    Map<Fault, Integer> counts() {
        return Map.copyOf(counts);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        for (RelayProcess relay : relays) {
            relay.wake();
            relay.close();
        }
    }
}
