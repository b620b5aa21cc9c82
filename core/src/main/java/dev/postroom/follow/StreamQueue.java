package dev.postroom.follow;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is in memory of one stream for one destination, by seq, until it is settled. Its order rule: a delivery may go when all
 * before it are confirmed; where the transport keeps the order of what it is handed, also when those that are not confirmed are on the wire to the same topic of
 * the broker.
 */
final class StreamQueue {
    private final long stream;
    private final Destination destination;
    private final List<Delivery> deliveries = new ArrayList<>(1);
    /** The one whose turn it is, as the destination knows it. */
    private @Nullable Delivery turn;

    StreamQueue(long stream, Destination destination) {
        this.stream = stream;
        this.destination = destination;
    }

    long stream() {
        return stream;
    }

    int size() {
        return deliveries.size();
    }

    boolean has(long seq) {
        for (int i = deliveries.size() - 1; i >= 0 && deliveries.get(i).seq() >= seq; i--) {
            if (deliveries.get(i).seq() == seq) {
                return true;
            }
        }
        return false;
    }

    /** Whether one has failed, and that is not recorded yet. */
    boolean hasFailing() {
        for (Delivery delivery : deliveries) {
            if (delivery.isFailing()) {
                return true;
            }
        }
        return false;
    }

    /**
     * The closed gate that one of those before a seq waits at to be tried, if it keeps its stream back. One that was on the wire when the
     * gate closed does not wait there, and may never have to.
     */
    @Nullable
    Gate gateBefore(long seq) {
        for (Delivery delivery : deliveries) {
            boolean waits = delivery.seq() < seq && (delivery.isQueued() || (delivery.isSent() && delivery.isProbe()));
            Gate gate = waits && delivery.message().topic().holdsStream()
                    ? destination.closedGate(delivery.message())
                    : null;
            if (gate != null) {
                return gate;
            }
        }
        return null;
    }

    void add(Delivery delivery) {
        int at = deliveries.size();
        while (at > 0 && deliveries.get(at - 1).seq() > delivery.seq()) {
            at--;
        }
        deliveries.add(at, delivery);
        delivery.standIn(this);
        next();
    }

    void remove(Delivery delivery) {
        deliveries.remove(delivery);
        delivery.standIn(null);
        next();
    }

    /** Those that were not sent, from a seq on. */
    List<Delivery> unsentFrom(long seq) {
        List<Delivery> unsent = new ArrayList<>();
        for (Delivery delivery : deliveries) {
            if (delivery.seq() >= seq && delivery.isQueued()) {
                unsent.add(delivery);
            }
        }
        return unsent;
    }

    /** Finds out whose turn it is, after something has changed. */
    void next() {
        Delivery now = findTurn();
        if (now != turn) {
            Delivery before = turn;
            turn = now;
            if (before != null) {
                destination.stepBack(before);
            }
            if (now != null) {
                destination.lineUp(now);
            }
        }
    }

    /** Whether order allows it to go now: it is its turn, or nobody waits for it and all before it are confirmed. */
    boolean lets(Delivery delivery) {
        if (delivery == turn) {
            return true;
        }
        for (int i = 0; i < deliveries.size() && isPassed(delivery); i++) {
            Delivery other = deliveries.get(i);
            if (other == delivery) {
                return true;
            }
            if (!other.isConfirmed() && !isPassed(other)) {
                return false;
            }
        }
        return false;
    }

    /** Nobody waits for one of the policy SKIP that a closed gate keeps to be tried. */
    private boolean isPassed(Delivery delivery) {
        return delivery.isQueued()
                && !delivery.message().topic().holdsStream()
                && destination.closedGate(delivery.message()) != null;
    }

    private @Nullable Delivery findTurn() {
        Topic ahead = null;
        for (int i = 0; i < deliveries.size(); i++) {
            Delivery delivery = deliveries.get(i);
            if (delivery.isConfirmed() || isPassed(delivery)) {
                continue;
            }
            Topic topic = delivery.message().topic();
            if (ahead != null && !destination.pipelines(ahead, topic)) {
                return null;
            }
            if (!delivery.isSent()) {
                return delivery.isQueued() ? delivery : null;
            }
            ahead = topic;
        }
        return null;
    }
}
