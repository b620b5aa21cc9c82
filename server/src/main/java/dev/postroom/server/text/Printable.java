package dev.postroom.server.text;

import java.util.Locale;

/**
 * Text that is safe on a terminal and in a log. Errors, keys and payloads come from elsewhere: a control character in
 * them could move the cursor, forge a line or recolour the screen.
 */
public final class Printable {
    private Printable() {}

    /** On one line: what would move the cursor is written as {@code \n} or {@code \\u001b}. */
    public static String line(String text) {
        return escape(text, false);
    }

    /** On several lines: line breaks and tabs stay. */
    public static String block(String text) {
        return escape(text, true);
    }

    private static String escape(String text, boolean keepLines) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (c == '\n' || c == '\t') {
                safe.append(keepLines ? Character.toString(c) : c == '\n' ? "\\n" : "\\t");
            } else if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT || c == 0x2028) {
                safe.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                safe.appendCodePoint(c);
            }
        });
        return safe.toString();
    }
}
