package dev.postroom.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Names a reason why messages cannot be sent now although nothing is wrong with them. */
record GateKey(
        Kind kind, @Nullable String destination, @Nullable String topic) {

    enum Kind {
        /** A destination, or a topic of it, does not take anything: probed until it does. */
        BREAKER,
        /** An operator paused everything, a destination, or a topic. */
        PAUSE,
        /** The destination has its share of the memory: others must not wait for a slow one. */
        FULL,
        /** No route of this relay matches the topic, or it lacks a replay's destination; a rolling deployment may bring one. */
        NO_ROUTE,
        /** More streams are blocked than are kept in memory. */
        MANY_BLOCKED
    }

    static final GateKey MANY_BLOCKED = new GateKey(Kind.MANY_BLOCKED, null, null);

    static GateKey breaker(String destination, @Nullable String topic) {
        return new GateKey(Kind.BREAKER, destination, topic);
    }

    static GateKey pause(@Nullable String destination, @Nullable String topic) {
        return new GateKey(Kind.PAUSE, destination, topic);
    }

    static GateKey full(String destination) {
        return new GateKey(Kind.FULL, destination, null);
    }

    /** Every gate that a message of this topic may meet on its way to this destination; the nearest to it last. */
    static List<GateKey> onTheWay(String topic, String destination) {
        return List.of(
                pause(null, null),
                pause(destination, null),
                pause(null, topic),
                breaker(destination, null),
                breaker(destination, topic),
                full(destination));
    }

    /** The destination is that of a replay, which goes nowhere else; null when no route matches. */
    static GateKey noRoute(@Nullable String destination, String topic) {
        return new GateKey(Kind.NO_ROUTE, destination, topic);
    }
}
