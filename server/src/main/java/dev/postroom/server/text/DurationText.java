package dev.postroom.server.text;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 500ms}, {@code 10s}, {@code 5m}, {@code 2h}, {@code 7d}. */
public final class DurationText {
    public static final String EXPECTED = "a duration such as 500ms, 10s, 5m, 2h or 7d";

    private static final Pattern FORM = Pattern.compile("(\\d{1,12})(ms|s|m|h|d)");
    private static final Map<String, Duration> UNITS = Map.of(
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private DurationText() {}

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException when it has another form or is longer than a hundred years
     */
    public static Duration parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not " + EXPECTED);
        }
        Duration unit = UNITS.getOrDefault(form.group(2), Duration.ZERO);
        Duration duration = unit.multipliedBy(Long.parseLong(form.group(1)));
        if (duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("'" + text + "' is longer than 36500d");
        }
        return duration;
    }

    /** Writes one for people, in its largest two units: {@code 2h 5m}. */
    public static String of(Duration duration) {
        if (duration.isNegative()) {
            return "-" + of(duration.negated());
        }
        if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
            return duration.toMillis() + "ms";
        }
        if (duration.compareTo(Duration.ofMinutes(1)) < 0) {
            return duration.toSeconds() + "s";
        }
        if (duration.compareTo(Duration.ofHours(1)) < 0) {
            return two(duration.toMinutes(), "m", duration.toSecondsPart(), "s");
        }
        if (duration.compareTo(Duration.ofDays(1)) < 0) {
            return two(duration.toHours(), "h", duration.toMinutesPart(), "m");
        }
        return two(duration.toDays(), "d", duration.toHoursPart(), "h");
    }

    private static String two(long large, String largeUnit, int small, String smallUnit) {
        return large + largeUnit + (small == 0 ? "" : " " + small + smallUnit);
    }
}
