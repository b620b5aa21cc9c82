package dev.postroom.engine;

import dev.postroom.operations.Pause;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which gates are closed. An open gate is simply not here. */
final class Gates {
    /** Topics of one destination that are held one by one; beyond that, more topics mean the destination itself. */
    static final int MOST_TOPICS = 1_000;
    /** Messages kept in memory to probe a closed breaker with, from different streams. */
    static final int CANDIDATES = 8;

    private final Map<GateKey, Gate> closed = new HashMap<>();
    private final Map<String, Boolean> confirmedSinceUnclear = new HashMap<>();

    /** A closed gate. */
    static final class Gate {
        final GateKey key;
        String why;
        /** When to try one message (breakers only). */
        long nextProbe;
        /** How many tries have failed since it was closed. */
        int failedProbes;

        /** One message may be sent through it now. */
        boolean probeDue;

        @Nullable
        Entry probe;

        final Deque<Entry> candidates = new ArrayDeque<>();

        Gate(GateKey key, String why) {
            this.key = key;
            this.why = why;
        }
    }

    boolean isClosed(GateKey key) {
        return closed.containsKey(key);
    }

    @Nullable
    Gate gate(GateKey key) {
        return closed.get(key);
    }

    /** The gate that keeps a topic from a destination, or null. */
    @Nullable
    Gate before(String topic, String destination) {
        if (closed.isEmpty()) {
            return null;
        }
        Gate gate = closed.get(GateKey.pause(null, null));
        gate = gate != null ? gate : closed.get(GateKey.pause(destination, null));
        gate = gate != null ? gate : closed.get(GateKey.pause(null, topic));
        gate = gate != null ? gate : closed.get(GateKey.breaker(destination, null));
        return gate != null ? gate : closed.get(GateKey.breaker(destination, topic));
    }

    /** A closed breaker that keeps a topic from one of the destinations, or null: something to probe. */
    @Nullable
    Gate breakerBefore(String topic, List<String> destinations) {
        for (String destination : destinations) {
            Gate gate = before(topic, destination);
            if (gate != null && gate.key.kind() == GateKey.Kind.BREAKER) {
                return gate;
            }
        }
        return null;
    }

    /** As {@link #before}, for a message that is not in memory yet. */
    @Nullable
    Gate beforeNew(String topic, String destination) {
        Gate gate = before(topic, destination);
        return gate != null || closed.isEmpty() ? gate : closed.get(GateKey.full(destination));
    }

    Gate close(GateKey key, String why) {
        return closed.computeIfAbsent(key, k -> new Gate(k, why));
    }

    void open(GateKey key) {
        closed.remove(key);
    }

    boolean hasBreakers() {
        return !closed.isEmpty() && closed.keySet().stream().anyMatch(key -> key.kind() == GateKey.Kind.BREAKER);
    }

    List<Gate> breakers() {
        if (closed.isEmpty()) {
            return List.of();
        }
        return closed.values().stream()
                .filter(gate -> gate.key.kind() == GateKey.Kind.BREAKER)
                .toList();
    }

    List<Gate> all() {
        return List.copyOf(closed.values());
    }

    long topicsHeld(String destination) {
        return closed.keySet().stream()
                .filter(key -> key.kind() == GateKey.Kind.BREAKER
                        && key.topic() != null
                        && destination.equals(key.destination()))
                .count();
    }

    /** Takes the pauses as they are now; returns what is not paused any more. */
    List<GateKey> pauses(List<Pause> pauses) {
        Set<GateKey> now = new HashSet<>();
        for (Pause pause : pauses) {
            GateKey key =
                    GateKey.pause(pause.target().destination(), pause.target().topic());
            now.add(key);
            close(key, "paused by " + pause.by());
        }
        List<GateKey> ended = new ArrayList<>();
        for (GateKey key : closed.keySet()) {
            if (key.kind() == GateKey.Kind.PAUSE && !now.contains(key)) {
                ended.add(key);
            }
        }
        return ended;
    }

    /** A destination is back: what is held for one of its topics is tried at once, however long that was down. */
    void probeTopicsNow(String destination, long now) {
        for (Gate gate : breakers()) {
            if (destination.equals(gate.key.destination())) {
                gate.failedProbes = 0;
                gate.nextProbe = now;
            }
        }
    }

    /** A destination confirmed something. */
    void noteConfirmed(String destination) {
        confirmedSinceUnclear.put(destination, true);
    }

    /**
     * Whether a failure that may be the message's or the destination's counts for the message: only if the destination
     * confirmed another since the last such failure.
     */
    boolean blamesMessage(String destination) {
        return Boolean.TRUE.equals(confirmedSinceUnclear.put(destination, false));
    }
}
