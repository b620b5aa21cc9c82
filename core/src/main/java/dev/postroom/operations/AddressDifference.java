package dev.postroom.operations;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A destination that live relays reach at different addresses. That may be meant, as in zones that have a broker each; relays
 * deliver side by side all the same.
 *
 * @param addresses at least two
 */
public record AddressDifference(String destination, List<Address> addresses) {

    /** An address and the relays that deliver to it. */
    public record Address(String address, List<String> relays) {}

    public static List<AddressDifference> of(List<NodeItem> nodes) {
        Map<String, Map<String, List<String>>> byDestination = new TreeMap<>();
        for (NodeItem node : nodes) {
            if (node.alive()) {
                node.report()
                        .addresses()
                        .forEach((destination, address) -> byDestination
                                .computeIfAbsent(destination, first -> new TreeMap<>())
                                .computeIfAbsent(address, first -> new ArrayList<>())
                                .add(node.node()));
            }
        }
        return byDestination.entrySet().stream()
                .filter(destination -> destination.getValue().size() > 1)
                .map(destination -> new AddressDifference(destination.getKey(), addresses(destination.getValue())))
                .toList();
    }

    private static List<Address> addresses(Map<String, List<String>> relays) {
        return relays.entrySet().stream()
                .map(one -> new Address(
                        one.getKey(), one.getValue().stream().sorted().toList()))
                .toList();
    }

    /** {@code billing is kafka a:9092 to relay-1, relay-2; kafka b:9092 to relay-3}. */
    public String text() {
        return destination + " is "
                + addresses.stream()
                        .map(one -> one.address() + " to " + String.join(", ", one.relays()))
                        .collect(Collectors.joining("; "));
    }
}
