package dev.postroom.micrometer;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What Prometheus would see. */
final class Scrape {
    private static final Pattern LINE = Pattern.compile("([a-z_]+)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"([^\"]*)\"");

    private final Map<String, Double> values = new LinkedHashMap<>();
    private final Map<String, Set<String>> labels = new TreeMap<>();

    private Scrape() {}

    static Scrape of(PrometheusMeterRegistry registry) {
        Scrape scrape = new Scrape();
        registry.scrape().lines().filter(line -> !line.startsWith("#")).forEach(scrape::add);
        return scrape;
    }

    private void add(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalStateException("cannot read the line " + line);
        }
        String tags = matcher.group(2) == null ? "" : matcher.group(2);
        Set<String> names = labels.computeIfAbsent(matcher.group(1), name -> new TreeSet<>());
        Matcher label = LABEL.matcher(tags);
        while (label.find()) {
            names.add(label.group(1));
        }
        values.put(matcher.group(1) + (tags.isEmpty() ? "" : "{" + tags + "}"), Double.valueOf(matcher.group(3)));
    }

    /** The value of a series, such as {@code postroom_published_total{destination="out"}}. */
    double value(String series) {
        Double value = values.get(series);
        if (value == null) {
            throw new AssertionError("there is no " + series + " in:\n" + String.join("\n", values.keySet()));
        }
        return value;
    }

    /** Every metric with the names of its labels. */
    Map<String, Set<String>> metrics() {
        return labels;
    }

    /** How many series a metric has. */
    long series(String metric) {
        return values.keySet().stream()
                .filter(series -> series.equals(metric) || series.startsWith(metric + "{"))
                .count();
    }
}
