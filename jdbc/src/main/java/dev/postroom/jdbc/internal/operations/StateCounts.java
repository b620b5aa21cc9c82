package dev.postroom.jdbc.internal.operations;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How many messages were in which state, written as {@code 3 dead, 1 waiting}. Not thread-safe. */
final class StateCounts {
    private static final String[] LIVE = {"pending", "scheduled", "waiting", "dead"};

    private final Map<String, Long> counts = new TreeMap<>();

    /** A live row's state as the table has it. */
    static String live(int state) {
        return LIVE[state];
    }

    /** Reads what {@link #toString} wrote; anything else counts once. */
    static StateCounts parse(String text) {
        StateCounts parsed = new StateCounts();
        for (String part : Arrays.asList(text.split(", ", -1))) {
            int space = part.indexOf(' ');
            if (space > 0 && part.substring(0, space).chars().allMatch(c -> c >= '0' && c <= '9')) {
                parsed.add(Long.parseLong(part.substring(0, space)), part.substring(space + 1));
            } else if (!part.isEmpty()) {
                parsed.add(1, part);
            }
        }
        return parsed;
    }

    StateCounts add(long messages, String state) {
        if (messages > 0) {
            counts.merge(state, messages, Long::sum);
        }
        return this;
    }

    StateCounts add(StateCounts other) {
        other.counts.forEach((state, messages) -> add(messages, state));
        return this;
    }

    long sum() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public String toString() {
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
    }
}
