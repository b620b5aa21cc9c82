package dev.postroom.benchmark.chaos;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What the shop's table and what arrived say together.
 *
 * @param delivered different orders that arrived
 * @param dead messages that had become dead letters, and were retried in the end
 * @param lost committed, and never arrived
 * @param invented arrived, and never committed
 * @param duplicated arrived once more; at least once is what is promised
 * @param reordered arrived for the first time after a later order of the same customer, of whatever topic
 */
record Verdict(
        long published,
        long delivered,
        long dead,
        long lost,
        long invented,
        long duplicated,
        long reordered,
        Map<Fault, Integer> faults) {

    static Verdict of(Set<Order> committed, List<Order> arrived, long dead, Map<Fault, Integer> faults) {
        Set<Order> seen = new HashSet<>();
        Map<Integer, Long> highest = new HashMap<>();
        long reordered = 0;
        long invented = 0;
        for (Order order : arrived) {
            if (!seen.add(order)) {
                continue;
            }
            if (!committed.contains(order)) {
                invented++;
            }
            if (highest.getOrDefault(order.customer(), 0L) > order.number()) {
                reordered++;
            }
            highest.merge(order.customer(), order.number(), Math::max);
        }
        long lost = committed.stream().filter(order -> !seen.contains(order)).count();
        return new Verdict(
                committed.size(),
                seen.size(),
                dead,
                lost,
                invented,
                arrived.size() - seen.size(),
                reordered,
                new TreeMap<>(faults));
    }

    boolean isGood() {
        return lost == 0 && reordered == 0 && invented == 0 && published > 0;
    }

    String json() {
        return String.format(
                Locale.ROOT,
                "{\"published\":%d,\"delivered\":%d,\"dead\":%d,\"lost\":%d,\"invented\":%d,\"duplicated\":%d,\"reordered\":%d,"
                        + "\"faults\":{%s}}",
                published,
                delivered,
                dead,
                lost,
                invented,
                duplicated,
                reordered,
                faults.entrySet().stream()
                        .map(entry -> "\"" + entry.getKey().label() + "\":" + entry.getValue())
                        .collect(Collectors.joining(",")));
    }

    @Override
    public String toString() {
        String told = faults.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey().label())
                .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "faults: %s%n%,d published, %,d delivered, %d dead (retried at the end), %,d duplicated%n"
                        + "lost %d, reordered %d, invented %d: %s",
                told.isEmpty() ? "none" : told,
                published,
                delivered,
                dead,
                duplicated,
                lost,
                reordered,
                invented,
                isGood() ? "nothing was lost, and order was kept" : "THIS MUST NOT BE");
    }
}
