package dev.postroom.testkit;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds a place in decoded JSON: {@code lines[0].sku}. Names and positions, nothing more. */
final class JsonPath {
    private static final Pattern STEP = Pattern.compile("\\.?([^.\\[\\]]+)|\\[(\\d{1,9})]");

    private JsonPath() {}

    /** What is there; null when nothing is. */
    static @Nullable Object find(Object json, String path) {
        Matcher step = STEP.matcher(path);
        Object place = json;
        int end = 0;
        while (step.find() && step.start() == end) {
            end = step.end();
            place = step.group(1) != null
                    ? member(place, step.group(1))
                    : element(place, Integer.parseInt(step.group(2)));
        }
        if (end != path.length() || path.isEmpty()) {
            throw new IllegalArgumentException(
                    "a path is names and positions, as in lines[0].sku (was '" + path + "')");
        }
        return place;
    }

    private static @Nullable Object member(@Nullable Object place, String name) {
        return place instanceof Map<?, ?> object ? object.get(name) : null;
    }

    private static @Nullable Object element(@Nullable Object place, int position) {
        return place instanceof List<?> list && position < list.size() ? list.get(position) : null;
    }

    /** JSON has one kind of number: 7, 7L and 7.0 are the same. */
    static boolean isEqual(@Nullable Object found, @Nullable Object expected) {
        if (found instanceof Number a && expected instanceof Number b) {
            return new BigDecimal(a.toString()).compareTo(new BigDecimal(b.toString())) == 0;
        }
        return Objects.equals(found, expected);
    }
}
