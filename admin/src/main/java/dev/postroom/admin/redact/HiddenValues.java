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
    /** In all of them together: each is looked for in every error text. */
    private static final int MOST_CHARACTERS = 16_384;

    private static final int SHORT = 4;
    private static final int PART_OF_HEADER = 8;
    private static final Pattern PARTS = Pattern.compile("[\\s;,=]+");

    private final Set<String> values = new LinkedHashSet<>();
    private int characters;
    private boolean everything;

    public void add(String value) {
        if (value.isBlank() || everything) {
            return;
        }
        characters += values.add(value) ? value.length() : 0;
        if (values.size() > MOST || characters > MOST_CHARACTERS) {
            addEverything();
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
        int cutOff = beginningAtEndOf(text, value);
        return cutOff < SHORT ? text : text.substring(0, text.length() - cutOff) + HIDDEN;
    }

    /**
     * How much of the value's beginning, but not all of it, the text ends with; in one pass over each, as Knuth, Morris and Pratt
     * do it: trying length after length takes minutes for a value that repeats itself.
     */
    private static int beginningAtEndOf(String text, String value) {
        int[] shorter = new int[value.length()];
        int matched = 0;
        for (int i = 1; i < value.length(); i++) {
            matched = extended(value, shorter, matched, value.charAt(i));
            shorter[i] = matched;
        }
        matched = 0;
        for (int i = Math.max(0, text.length() - value.length() + 1); i < text.length(); i++) {
            matched = extended(value, shorter, matched, text.charAt(i));
        }
        return matched;
    }

    /** How much of the value's beginning is matched with one more character; {@code shorter} says what is left when it does not fit. */
    private static int extended(String value, int[] shorter, int matched, char next) {
        int length = matched;
        while (length > 0 && value.charAt(length) != next) {
            length = shorter[length - 1];
        }
        return value.charAt(length) == next ? length + 1 : length;
    }
}
