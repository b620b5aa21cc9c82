package dev.postroom.spi;

import org.jspecify.annotations.Nullable;

/**
 * Text as every database takes it. What an exception says, what a host is called and what another language wrote into a row
 * may be anything; text that a database refuses would keep everything that is written with it from being recorded. So all
 * text of relays and operators passes here on its way to a database. What publishers and consumers give is refused instead,
 * before it comes this far: two keys must not become one.
 */
public final class StorableText {
    private static final char REPLACEMENT = '\uFFFD';

    private StorableText() {}

    /** The text without NUL and without halves of characters, which not every database takes. */
    public static String of(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c == 0 || Character.isSurrogate(c)) {
                return of(text, length);
            }
        }
        return text;
    }

    /** As {@link #of(String)}; null stays null. */
    public static @Nullable String ofNullable(@Nullable String text) {
        return text == null ? null : of(text);
    }

    /** As {@link #of(String)}, and at most so many UTF-16 units long. */
    public static String of(String text, int most) {
        StringBuilder kept = new StringBuilder(Math.min(text.length(), most));
        int end = 0;
        while (end < text.length()) {
            int c = text.codePointAt(end);
            end += Character.charCount(c);
            if (end > most) {
                break;
            }
            boolean unfit = c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
            kept.appendCodePoint(unfit ? REPLACEMENT : c);
        }
        return kept.toString();
    }
}
