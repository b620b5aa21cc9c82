package dev.postroom.follow;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The deliveries whose turn it is in their streams: each tenant's in the order in which that came about, and tenants in turn, by deficit
 * round robin. A turn is worth some bytes, so that a tenant of large messages gets no more than the others.
 */
final class Line {
    /** What a turn is worth, what a message costs at least, and at most: a huge one is not paid for over minutes. */
    private static final int TURN = 4_096;

    private static final int LEAST_COST = 1_024;
    private static final int MOST_COST = 16 * TURN;
    private static final int SLACK = 64;

    private final Map<String, Places> tenants = new HashMap<>();
    private final Deque<Places> turns = new ArrayDeque<>();
    private int size;

    /** Of one tenant, with places that were given up and are passed over. */
    private static final class Places {
        private final String tenant;
        private final Deque<Delivery> deliveries = new ArrayDeque<>();
        private int size;
        private int credit = TURN;

        private Places(String tenant) {
            this.tenant = tenant;
        }

        private Delivery poll(boolean first) {
            Delivery next;
            do {
                next = first ? deliveries.removeFirst() : deliveries.removeLast();
            } while (!next.isInLine());
            size--;
            return next;
        }
    }

    int size() {
        return size;
    }

    void add(Delivery delivery) {
        if (!delivery.isInLine()) {
            delivery.inLine(true);
            String tenant = delivery.message().tenant();
            Places places = tenants.get(tenant);
            if (places == null) {
                places = new Places(tenant);
                tenants.put(tenant, places);
                turns.addLast(places);
            }
            places.deliveries.addLast(delivery);
            places.size++;
            size++;
        }
    }

    void remove(Delivery delivery) {
        if (delivery.isInLine()) {
            delivery.inLine(false);
            size--;
            Places places =
                    Objects.requireNonNull(tenants.get(delivery.message().tenant()));
            places.size--;
            if (places.deliveries.size() > 2 * places.size + SLACK) {
                places.deliveries.removeIf(other -> !other.isInLine());
            }
        }
    }

    /** The first of the tenant whose turn it is, which leaves the line. */
    @Nullable
    Delivery poll() {
        while (size > 0) {
            Places places = turns.getFirst();
            if (places.size == 0) {
                leave(places);
            } else if (places.credit <= 0 && turns.size() > 1) {
                places.credit += TURN;
                turns.addLast(turns.removeFirst());
            } else {
                return poll(places, true);
            }
        }
        return null;
    }

    /** The last of the tenant that has waited longest for its turn, which leaves the line. */
    @Nullable
    Delivery pollLast() {
        while (size > 0) {
            Places places = turns.removeFirst();
            if (places.size == 0) {
                tenants.remove(places.tenant);
            } else {
                turns.addLast(places);
                return poll(places, false);
            }
        }
        return null;
    }

    private Delivery poll(Places places, boolean first) {
        Delivery next = places.poll(first);
        next.inLine(false);
        size--;
        // Alone, a tenant pays nothing.
        places.credit = turns.size() == 1
                ? TURN
                : places.credit
                        - Math.min(
                                MOST_COST, Math.max(LEAST_COST, next.message().weight()));
        return next;
    }

    private void leave(Places places) {
        turns.removeFirst();
        tenants.remove(places.tenant);
    }
}
