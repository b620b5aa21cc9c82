package dev.postroom.admin.redact;

import java.util.Arrays;
import java.util.BitSet;

/**
 * A text with what is escaped in it ({@code \\"}, {@code \\u0022}, {@code %22}) read as what it stands for, which remembers where that
 * stands. In one pass, whatever the text: strangers write it. Not thread-safe.
 */
final class Decoded {
    private final String source;
    private final String text;
    /** Where in the source each character begins, and behind the last one where the source ends. */
    private final int[] places;

    private final BitSet marked;

    private Decoded(String source, String text, int[] places, BitSet marked) {
        this.source = source;
        this.text = text;
        this.places = places;
        this.marked = marked;
    }

    static Decoded of(String source) {
        int[] places = new int[source.length() + 1];
        Arrays.setAll(places, i -> i);
        return new Decoded(source, source, places, new BitSet()).again();
    }

    /** With what is escaped in the decoded text decoded once more. */
    Decoded again() {
        StringBuilder read = new StringBuilder(text.length());
        int[] begins = new int[text.length() + 1];
        int at = 0;
        while (at < text.length()) {
            begins[read.length()] = places[at];
            at = next(at, read);
        }
        begins[read.length()] = source.length();
        return new Decoded(source, read.toString(), Arrays.copyOf(begins, read.length() + 1), marked);
    }

    private int next(int at, StringBuilder read) {
        char here = text.charAt(at);
        if (here == '\\' && at + 1 < text.length()) {
            int code = text.charAt(at + 1) == 'u' ? hex(at + 2, 4) : -1;
            read.append(code < 0 ? text.charAt(at + 1) : (char) code);
            return at + (code < 0 ? 2 : 6);
        }
        int code = here == '%' ? hex(at + 1, 2) : -1;
        // Credentials are ASCII; what is not stays as it is.
        if (code >= ' ' && code <= '~') {
            read.append((char) code);
            return at + 3;
        }
        read.append(here);
        return at + 1;
    }

    private int hex(int from, int digits) {
        if (from + digits > text.length()) {
            return -1;
        }
        int number = 0;
        for (int i = from; i < from + digits; i++) {
            int digit = Character.digit(text.charAt(i), 16);
            if (digit < 0) {
                return -1;
            }
            number = number << 4 | digit;
        }
        return number;
    }

    /** Whether something is escaped in it. */
    boolean isOther() {
        return text.length() != source.length();
    }

    void mark(String value) {
        for (int at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length())) {
            marked.set(places[at], places[at + value.length()]);
        }
    }

    /** The source, with this in place of everything that was marked. */
    String source(String instead) {
        StringBuilder shown = new StringBuilder();
        int at = 0;
        for (int from = marked.nextSetBit(0); from >= 0; from = marked.nextSetBit(at)) {
            shown.append(source, at, from).append(instead);
            at = marked.nextClearBit(from);
        }
        return shown.append(source, at, source.length()).toString();
    }
}
