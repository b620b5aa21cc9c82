package dev.postroom.testkit.simulation;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What became of a seed.
 *
 * @param fingerprint the same for every run of the same seed and options
 * @param failure what went wrong, if anything did
 * @param expected what went wrong as was expected, with what was seen first
 * @param replay the command that runs this seed again
 */
public record SimulationReport(
        long seed,
        long fingerprint,
        Counts counts,
        Optional<Failure> failure,
        Map<ExpectedFailure, String> expected,
        String replay) {

    /** What happened in it. */
    public record Counts(int messages, int arrivals, int duplicates, int dead, long virtualSeconds, long events) {}

    /**
     * An invariant that did not hold.
     *
     * @param history what happened to the message that it was found with
     * @param surroundings what happened to relays, lanes and destinations of late
     */
    public record Failure(
            Invariant invariant, String what, String scenario, List<String> history, List<String> surroundings) {}

    /** Whether every invariant held. */
    public boolean passed() {
        return failure.isEmpty();
    }

    /** For people: what went wrong, how it came to that, and how to see it again. */
    public String describe() {
        if (failure.isEmpty()) {
            return "seed " + seed + " passed: " + counts;
        }
        Failure found = failure.get();
        StringBuilder text = new StringBuilder();
        text.append("seed ").append(seed).append(" breaks ").append(found.invariant());
        text.append(" (")
                .append(found.invariant().says())
                .append("): ")
                .append(found.what())
                .append('\n');
        text.append(found.scenario()).append('\n');
        found.surroundings().forEach(line -> text.append("    ").append(line).append('\n'));
        text.append("the message, and the other if there is one:\n");
        found.history().forEach(line -> text.append("    ").append(line).append('\n'));
        return text.append("replay: ").append(replay()).append('\n').toString();
    }
}
