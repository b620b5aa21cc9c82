package dev.postroom.server.settings;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A setting that Postroom knows.
 *
 * @param pattern its key; {@code NAME} stands for a name of the user's, {@code [n]} for a place in a list and a last
 *     {@code *} for anything
 * @param choices what it may be, when it is one of a few words; else empty
 * @param secret whether its value must never be shown
 */
record Setting(String pattern, Kind kind, List<String> choices, boolean secret) {

    /** Why the value cannot be used, or null. The value itself is shown only when it is no secret. */
    @Nullable
    String problem(String key, String value, String origin) {
        String expected = choices.isEmpty() ? kind.expected() : "one of " + String.join(", ", choices);
        if (isReadable(value)) {
            return null;
        }
        return key + " must be " + expected + " (was " + (secret ? "hidden" : "'" + value + "'") + ", " + origin
                + "): change it";
    }

    private boolean isReadable(String value) {
        try {
            kind.read(value);
            return choices.isEmpty() || choices.contains(value);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    boolean matches(String key) {
        return Pattern.matches(
                regex(pattern)
                        .replace("NAME", "[A-Za-z0-9][A-Za-z0-9_-]{0,62}")
                        .replace("\\[n\\]", "\\[\\d{1,3}\\]")
                        .replace("\\*", ".+"),
                key);
    }

    /**
     * Where this setting's key ends in a longer one, or -1: a password such as <code>{a: b}</code> without quotes becomes a
     * key of its own.
     */
    int endIn(String key) {
        for (int dot = key.indexOf('.'); dot >= 0; dot = key.indexOf('.', dot + 1)) {
            if (matches(key.substring(0, dot))) {
                return dot;
            }
        }
        return -1;
    }

    /** This setting's key as an unknown key resembling it would have been written, to compare the two. */
    String resembling(String unknown) {
        String[] mine = pattern.split("\\.", -1);
        String[] typed = unknown.split("\\.", -1);
        for (int i = 0; i < mine.length && i < typed.length; i++) {
            boolean free = mine[i].equals("NAME") || mine[i].equals("*");
            boolean sameList = mine[i].endsWith("[n]") && typed[i].matches("[^\\[]+\\[\\d+\\]");
            if (free) {
                mine[i] = typed[i];
            } else if (sameList) {
                mine[i] = mine[i].replace("[n]", typed[i].substring(typed[i].indexOf('[')));
            }
        }
        return String.join(".", mine);
    }

    /** The parts of an environment variable's name that stand for NAME, n and *, in order; null when it is another's. */
    @Nullable
    Matcher environment(String variable) {
        String regex = environmentName(
                        pattern.replace("NAME", "<").replace("[n]", ".>").replace("*", "?"))
                .replace("<", "(.+)")
                .replace(">", "(\\d{1,3})")
                .replace("?", "(.+)");
        Matcher matcher = Pattern.compile(regex).matcher(variable);
        return matcher.matches() ? matcher : null;
    }

    /** {@code postroom.database.table-prefix} becomes {@code POSTROOM_DATABASE_TABLE_PREFIX}. */
    static String environmentName(String key) {
        return key.replace('.', '_')
                .replace('-', '_')
                .replace('[', '_')
                .replace("]", "")
                .toUpperCase(Locale.ROOT);
    }

    private static String regex(String pattern) {
        return pattern.replace(".", "\\.")
                .replace("[", "\\[")
                .replace("]", "\\]")
                .replace("*", "\\*");
    }
}
