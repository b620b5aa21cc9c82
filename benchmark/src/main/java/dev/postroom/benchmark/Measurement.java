package dev.postroom.benchmark;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A rate measured in several rounds; the middle one counts, so that one disturbed round does not. */
record Measurement(String name, List<Double> rounds) {

    double perSecond() {
        double[] sorted =
                rounds.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    String json() {
        return "\"perSecond\":" + Math.round(perSecond()) + ",\"rounds\":["
                + rounds.stream().map(round -> Long.toString(Math.round(round))).collect(Collectors.joining(",")) + "]";
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%-28s %,10.0f/s   rounds %s",
                name,
                perSecond(),
                Arrays.toString(rounds.stream().mapToLong(Math::round).toArray()));
    }
}
