package dev.postroom.server.demo;

import dev.postroom.operations.StreamKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Compares what the shop saved with what each destination recorded, neither of which Postroom has a hand in.
 *
 * @param orders committed, each with one message
 * @param delivered orders that every destination of theirs has
 * @param dead orders whose message is a dead letter, with a reason
 * @param blocked orders that wait behind a dead one of the same stream
 * @param discarded orders that an operator skipped or deleted
 * @param lost orders that none of these are
 * @param phantoms deliveries of orders that were never committed
 * @param duplicated deliveries beyond the first
 * @param reordered first deliveries that came before an earlier one of the same stream, of whatever topic
 */
record Proof(
        long orders,
        long delivered,
        long dead,
        long blocked,
        long discarded,
        long lost,
        long phantoms,
        long duplicated,
        long reordered) {

    boolean holds() {
        return lost == 0 && phantoms == 0 && reordered == 0;
    }

    /** What the database says of messages that are not delivered. */
    record Undelivered(Set<UUID> dead, Set<UUID> blocked) {}

    static Proof of(List<Order> orders, List<Receiver> receivers, Undelivered undelivered) {
        return of(orders, receivers, undelivered, OperatorActions.NONE);
    }

    static Proof of(List<Order> orders, List<Receiver> receivers, Undelivered undelivered, OperatorActions operator) {
        Map<UUID, Order> byMessage = new HashMap<>();
        orders.forEach(order -> byMessage.put(order.message(), order));
        Map<String, Set<UUID>> firsts = new HashMap<>();
        long phantoms = 0;
        long duplicated = 0;
        long reordered = 0;
        for (Receiver receiver : receivers) {
            Set<UUID> seen = new HashSet<>();
            List<Order> inOrder = new ArrayList<>();
            for (UUID id : receiver.record()) {
                Order order = byMessage.get(id);
                if (order == null) {
                    phantoms++;
                } else if (!seen.add(id)) {
                    duplicated++;
                } else {
                    inOrder.add(order);
                }
            }
            firsts.put(receiver.name(), seen);
            reordered += overtakings(inOrder, operator);
        }
        long[] counts = new long[5];
        for (Order order : orders) {
            counts[fate(order, firsts, undelivered, operator)]++;
        }
        return new Proof(
                orders.size(), counts[0], counts[1], counts[2], counts[3], counts[4], phantoms, duplicated, reordered);
    }

    private static int fate(
            Order order, Map<String, Set<UUID>> firsts, Undelivered undelivered, OperatorActions operator) {
        boolean everywhere = Shop.ROUTES.getOrDefault(order.place().topic(), List.of()).stream()
                .allMatch(name -> firsts.getOrDefault(name, Set.of()).contains(order.message()));
        if (everywhere) {
            return 0;
        }
        if (undelivered.dead().contains(order.message())) {
            return 1;
        }
        if (undelivered.blocked().contains(order.message())) {
            return 2;
        }
        return operator.discarded(order.message()) ? 3 : 4;
    }

    /**
     * A delayed message may be overtaken: it joins its stream when it is due. So may a newsletter's that failed, because
     * its route says SKIP, and whatever was held in a stream that an operator released.
     */
    private static long overtakings(List<Order> inOrder, OperatorActions operator) {
        Map<StreamKey, Long> highest = new HashMap<>();
        long overtakings = 0;
        for (Order order : inOrder) {
            if (!order.delayed() && !Shop.mayOvertake(order.place().topic()) && !operator.released(order.place())) {
                Long before = highest.put(order.place().stream(), order.number());
                if (before != null && before > order.number()) {
                    overtakings++;
                }
            }
        }
        return overtakings;
    }
}
