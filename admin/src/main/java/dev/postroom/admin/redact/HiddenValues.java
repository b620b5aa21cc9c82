package dev.postroom.admin.redact;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What was taken out of one message, and is to be taken out of its error texts as well. Not thread-safe. */
public final class HiddenValues {
    public static final String HIDDEN = "(redacted)";

    private static final int MOST = 500;
    private static final int SHORT = 4;
    private static final int PART_OF_HEADER = 8;
    private static final Pattern PARTS = Pattern.compile("[\\s;,=]+");

    private final Set<String> values = new LinkedHashSet<>();
    private boolean everything;

    public void add(String value) {
        if (value.isBlank() || everything) {
            return;
        }
        if (values.size() == MOST) {
            addEverything();
        } else {
            values.add(value);
        }
    }

    /** A credential may be quoted without its scheme, a cookie without its name. */
    public void addHeader(String value) {
        add(value);
        for (String part : PARTS.split(value, -1)) {
            if (part.length() >= PART_OF_HEADER) {
                add(part);
            }
        }
    }

    /** Nobody can tell what must not be quoted. */
    public void addEverything() {
        everything = true;
        values.clear();
    }

    public boolean isEverything() {
        return everything;
    }

    /** The text without them, the longest first: one may be part of another. */
    public String in(String text) {
        List<String> longestFirst = values.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
        String shown = text;
        for (String value : longestFirst) {
            // A short value is part of many words, which are none of its business.
            shown = value.length() < SHORT
                    ? shown.replaceAll("(?<![\\p{L}\\p{N}])" + Pattern.quote(value) + "(?![\\p{L}\\p{N}])", HIDDEN)
                    : withoutCutOff(shown.replace(value, HIDDEN), value);
        }
        return shown;
    }

    /** An error text is stored up to a limit, which may have cut the value in two. */
    private static String withoutCutOff(String text, String value) {
        for (int length = Math.min(value.length() - 1, text.length()); length >= SHORT; length--) {
            if (text.regionMatches(text.length() - length, value, 0, length)) {
                return text.substring(0, text.length() - length) + HIDDEN;
            }
        }
        return text;
    }
}
