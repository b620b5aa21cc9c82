package dev.postroom.engine;

/**
 * What of an error is kept in the database. An error comes from elsewhere and may be anything; one that the database refuses
 * would keep the whole batch from being settled, again and again.
 */
final class KeptError {
    private static final char REPLACEMENT = '\uFFFD';

    private KeptError() {}

    /** At most so many characters, without NUL and without halves of characters, which not every database takes. */
    static String of(String error, int most) {
        StringBuilder kept = new StringBuilder(Math.min(error.length(), most));
        int end = 0;
        while (end < error.length()) {
            int c = error.codePointAt(end);
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
