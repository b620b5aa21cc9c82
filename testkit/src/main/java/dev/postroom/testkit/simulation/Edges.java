package dev.postroom.testkit.simulation;

import dev.postroom.engine.Credit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Transports that take a few messages at a time, in each relay's process. */
final class Edges {
    private final World world;
    private final Map<String, Edge> edges = new HashMap<>();

    private static final class Edge implements Credit {
        private final int capacity;
        private final Set<Sending> taken = new HashSet<>();
        /** Promised to the engine, which has not handed them over yet. */
        private int expected;

        private Edge(int capacity) {
            this.capacity = capacity;
        }

        @Override
        public boolean isLeft(long now) {
            return taken.size() + expected < capacity;
        }

        @Override
        public void take(long now) {
            expected++;
        }

        @Override
        public long next() {
            return Long.MAX_VALUE;
        }
    }

    Edges(World world) {
        this.world = world;
    }

    Credit credit(String relay, String destination) {
        Integer capacity = world.scenario.capacities().get(destination);
        return capacity == null
                ? Credit.UNLIMITED
                : edges.computeIfAbsent(relay + " " + destination, name -> new Edge(capacity));
    }

    void enter(Sending sending) {
        if (credit(sending) instanceof Edge edge) {
            edge.expected--;
            edge.taken.add(sending);
            if (edge.taken.size() > edge.capacity) {
                throw new Violation(
                        Invariant.I9,
                        sending.story.key,
                        sending.relay.name() + " hands " + edge.taken.size() + " messages to " + sending.destination
                                + ", which takes " + edge.capacity + " at a time");
            }
        }
    }

    /** It has been answered for. */
    void leave(Sending sending) {
        if (credit(sending) instanceof Edge edge) {
            edge.taken.remove(sending);
        }
    }

    private Credit credit(Sending sending) {
        return credit(sending.relay.name(), sending.destination);
    }
}
