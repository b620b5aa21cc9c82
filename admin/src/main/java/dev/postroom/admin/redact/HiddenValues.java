package dev.postroom.admin.redact;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** What was taken out of one message, and is to be taken out of its error texts as well. Not thread-safe. */
public final class HiddenValues {
    public static final String HIDDEN = "(redacted)";

    private static final int MOST = 500;
    /** In all of them together: each is looked for in every error text. */
    private static final int MOST_CHARACTERS = 16_384;

    private static final int SHORT = 4;
    private static final Pattern PARTS = Pattern.compile("[\\s;,]+");
    private static final Pattern PADDING = Pattern.compile("=+$");
    /** Words that are in such headers without being a secret, and in many other texts. */
    private static final Set<String> PUBLIC = Set.of(
            "bearer",
            "basic",
            "digest",
            "negotiate",
            "ntlm",
            "token",
            "apikey",
            "httponly",
            "secure",
            "path",
            "samesite",
            "strict",
            "none",
            "true",
            "false");
    /** A value may have been escaped within a text that was then encoded. */
    private static final int MOST_ENCODINGS = 2;

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

    /** A credential may be quoted without its scheme, a cookie without its name, a password without its user. */
    public void addHeader(String value) {
        add(value.strip());
        for (String part : PARTS.split(value, -1)) {
            String unpadded = PADDING.matcher(part).replaceFirst("");
            String own = unpadded.substring(unpadded.indexOf('=') + 1).replaceAll("^[\"']|[\"']$", "");
            addPart(part.contains("=") && own.length() < unpadded.length() ? own : part);
            addPart(own);
        }
        BasicCredentials.in(value).forEach(this::addPart);
    }

    private void addPart(String part) {
        if (part.length() >= SHORT && !PUBLIC.contains(part.toLowerCase(Locale.ROOT))) {
            add(part);
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
        return withoutEncoded(shown, longestFirst);
    }

    /** JSON in a string, an address, a log: where the value's own characters are written otherwise. */
    private static String withoutEncoded(String text, List<String> values) {
        Decoded decoded = Decoded.of(text);
        for (int i = 0; i < MOST_ENCODINGS && decoded.isOther(); i++) {
            for (String value : values) {
                if (value.length() >= SHORT) {
                    decoded.mark(value);
                }
            }
            decoded = decoded.again();
        }
        return decoded.source(HIDDEN);
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
