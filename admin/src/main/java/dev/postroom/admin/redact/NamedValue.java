package dev.postroom.admin.redact;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a text gives as the value of a name: {@code name: value}, {@code 'name': 'value'}, {@code \"name\":\"value\"}, {@code name=[value]},
 * {@code <name>value}, {@code ["name", "value"]}. Receivers quote headers in the notation of their language.
 *
 * @param start where the value begins, its quotes left out
 * @param quote the quote before it, or 0
 * @param escapes how many backslashes are before that quote
 */
record NamedValue(String text, int start, char quote, int escapes) {
    private static final int MOST_BETWEEN = 12;
    private static final int SHORTEST = 3;
    private static final int LONGEST_SCHEME = 15;
    private static final String QUOTES = "\"'`";
    private static final String AROUND_NAME = QUOTES + "\\])";
    private static final String SEPARATORS = ":=>";
    private static final String ENDS = QUOTES + ",;&<>)}]\\";

    /** Null when what ends here has no value behind it. */
    static @Nullable NamedValue behind(String text, int nameEnd) {
        int most = Math.min(text.length(), nameEnd + MOST_BETWEEN);
        int at = nameEnd;
        boolean quoted = false;
        while (at < most && (AROUND_NAME.indexOf(text.charAt(at)) >= 0 || isSpace(text.charAt(at)))) {
            quoted |= QUOTES.indexOf(text.charAt(at)) >= 0;
            at++;
        }
        int value = behindSeparator(text, at, quoted);
        return value < 0 ? null : unquoted(text, value);
    }

    private static int behindSeparator(String text, int at, boolean quotedName) {
        int end = at;
        while (end < text.length() && end < at + SHORTEST && SEPARATORS.indexOf(text.charAt(end)) >= 0) {
            end++;
        }
        if (end > at) {
            return end;
        }
        if (text.startsWith("->", at)) {
            return at + 2;
        }
        if (text.regionMatches(true, at, "%3A", 0, 3) || text.regionMatches(true, at, "%3D", 0, 3)) {
            return at + 3;
        }
        return quotedName && text.startsWith(",", at) ? at + 1 : -1;
    }

    private static NamedValue unquoted(String text, int from) {
        int at = from;
        int most = Math.min(text.length(), from + MOST_BETWEEN);
        while (at < most && (isSpace(text.charAt(at)) || "[({+".indexOf(text.charAt(at)) >= 0)) {
            if (text.startsWith(HiddenValues.HIDDEN, at)) {
                return new NamedValue(text, at, (char) 0, 0);
            }
            at++;
        }
        int quote = at;
        while (quote < most && text.charAt(quote) == '\\') {
            quote++;
        }
        if (quote == at && text.startsWith("b", at) && isQuote(text, at + 1)) {
            quote = at + 1; // bytes, as Python writes them
        }
        if (!isQuote(text, quote)) {
            return new NamedValue(text, at, (char) 0, 0);
        }
        int escapes = text.charAt(at) == '\\' ? quote - at : 0;
        return new NamedValue(text, quote + 1, text.charAt(quote), escapes);
    }

    /** Where it ends; it begins there when there is none. Credentials and cookies have several words, which may be any. */
    int end(String name) {
        String plain = name.toLowerCase(Locale.ROOT);
        boolean hasWords = plain.contains("authorization") || plain.contains("cookie");
        if (quote != 0) {
            return hasWords && isList() ? endOfLine() : endOfQuoted();
        }
        if (hasWords) {
            return endOfLine();
        }
        int end = endOfWord(start);
        boolean isScheme = end - start <= LONGEST_SCHEME
                && text.substring(start, end).chars().allMatch(Character::isLetter);
        int next = end;
        while (next < text.length() && text.charAt(next) == ' ') {
            next++;
        }
        if (isScheme && next > end) {
            end = Math.max(end, endOfWord(next));
        }
        return end - start < SHORTEST ? start : end;
    }

    /** A quote that is escaped once more than the first belongs to the value. */
    private int endOfQuoted() {
        int escaping = 0;
        for (int at = start; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == quote && (escapes == 0 ? escaping % 2 == 0 : escaping <= escapes)) {
                return at - (escapes == 0 ? 0 : escaping);
            }
            escaping = c == '\\' ? escaping + 1 : 0;
        }
        return text.length();
    }

    /** Whether there may be others behind it, as cookies have. */
    private boolean isList() {
        int before = start - 2 - escapes;
        return before >= 0 && "[(".indexOf(text.charAt(before)) >= 0;
    }

    private int endOfLine() {
        int at = start;
        while (at < text.length() && "\r\n<".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return at;
    }

    private int endOfWord(int from) {
        int at = from;
        while (at < text.length() && !isSpace(text.charAt(at)) && ENDS.indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return at;
    }

    private static boolean isQuote(String text, int at) {
        return at < text.length() && QUOTES.indexOf(text.charAt(at)) >= 0;
    }

    private static boolean isSpace(char c) {
        return Character.isWhitespace(c);
    }
}
