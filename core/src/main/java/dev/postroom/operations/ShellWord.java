package dev.postroom.operations;

import java.util.regex.Pattern;

/** A word of a command that is printed to be copied: as it is where no POSIX shell takes any of it for its own, else quoted. */
public final class ShellWord {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@%+,-]+");

    private ShellWord() {}

    public static String of(String text) {
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
