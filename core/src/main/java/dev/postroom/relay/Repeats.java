package dev.postroom.relay;

import dev.postroom.operations.ErrorFingerprint;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Keeps a failure that happens thousands of times from filling a log: the first of a kind is told, the others are counted
 * until the interval ends. A kind that did not come back for an interval is told anew. For one thread.
 */
final class Repeats {
    private static final int MOST_KINDS = 100;
    private static final String OTHERS = "all other kinds";

    private final Map<String, Integer> counts = new LinkedHashMap<>();

    boolean isFirst(String where, String error) {
        String kind = where + " " + ErrorFingerprint.of(error);
        if (!counts.containsKey(kind) && counts.size() >= MOST_KINDS) {
            kind = OTHERS;
        }
        return counts.merge(kind, 1, Integer::sum) == 1;
    }

    /** Gives the kinds that came more than once, and begins to count anew. */
    void forEachRepeated(BiConsumer<String, Integer> kindAndCount) {
        counts.forEach((kind, count) -> {
            if (count > 1) {
                kindAndCount.accept(kind.strip(), count - 1);
            }
        });
        counts.values().removeIf(count -> count <= 1);
        counts.replaceAll((kind, count) -> 1);
    }
}
