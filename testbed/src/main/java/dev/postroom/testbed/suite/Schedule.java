package dev.postroom.testbed.suite;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Who tests what next. A test JVM stays with one module, because each has a class path of its own; the next JVM goes where
 * most is left to do for each that is already there. Within a module the longest come first, so that no long one is left for the end.
 *
 * <p>Safe for use by several threads.
 */
final class Schedule {

    /** What one test JVM can run. */
    record Place(Variant variant, TestModule module) {
        static final Comparator<Place> ORDER = Comparator.comparingInt(
                        (Place place) -> place.variant().number())
                .thenComparing(place -> place.module().name());
    }

    private final ToLongFunction<Job> expectedMillis;
    private final Map<Place, List<Job>> waiting = new TreeMap<>(Place.ORDER);
    private final Map<Place, Integer> workers = new TreeMap<>(Place.ORDER);

    Schedule(List<Job> jobs, ToLongFunction<Job> expectedMillis) {
        this.expectedMillis = expectedMillis;
        for (Job job : jobs) {
            waiting.computeIfAbsent(new Place(job.variant(), job.module()), place -> new ArrayList<>())
                    .add(job);
        }
        waiting.values().forEach(list -> list.sort(Comparator.comparingLong(expectedMillis)));
    }

    /** Where the next test JVM shall work, or null when all is given out. */
    synchronized @Nullable Place takePlace() {
        Place best = null;
        long most = -1;
        for (Map.Entry<Place, List<Job>> entry : waiting.entrySet()) {
            long share = entry.getValue().stream().mapToLong(expectedMillis).sum()
                    / (1 + workers.getOrDefault(entry.getKey(), 0));
            // One variant after the other, so that fewer servers are busy at once.
            boolean sameVariant =
                    best == null || best.variant().equals(entry.getKey().variant());
            if (!entry.getValue().isEmpty() && sameVariant && share > most) {
                best = entry.getKey();
                most = share;
            }
        }
        if (best != null) {
            workers.merge(best, 1, Integer::sum);
        }
        return best;
    }

    /** The next class for a JVM in that place, or null when there is none. */
    synchronized @Nullable Job next(Place place) {
        List<Job> jobs = Objects.requireNonNull(waiting.get(place), "no such place");
        return jobs.isEmpty() ? null : jobs.remove(jobs.size() - 1);
    }

    synchronized void leave(Place place) {
        workers.merge(place, -1, Integer::sum);
    }
}
