package dev.postroom.secrets;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;

/**
 * Recognises one value however it is written. Encoders differ in which characters they encode, and a text may have gone
 * through one of them, so every character may stand there in any of its forms, whatever the others do.
 */
final class Spelling {
    private static final int LONGEST_WORD = 16;
    private static final int SHORTEST_BEGINNING = 4;
    private static final String CONTROLS = "\n\t\r\b\f";
    private static final String CONTROL_LETTERS = "ntrbf";

    private final String value;
    private final int[] characters;
    private final boolean word;

    Spelling(String value) {
        this.value = value;
        this.characters = value.codePoints().toArray();
        this.word = characters.length < LONGEST_WORD && value.codePoints().allMatch(Character::isLetter);
    }

    String value() {
        return value;
    }

    /**
     * Where it ends if it begins at this place, or -1. All ways to read the text are followed at once, since one beginning
     * may have several: a backslash may be one, or the escape of what follows.
     */
    int end(String text, int start) {
        if (word && start > 0 && isInWord(text, start)) {
            return -1;
        }
        if (!mayBegin(text.charAt(start))) {
            return -1;
        }
        BitSet places = new BitSet();
        places.set(start);
        for (int i = 0; i < characters.length; i++) {
            if (places.get(text.length())) {
                return i >= SHORTEST_BEGINNING && !word ? text.length() : -1; // the text was cut within it
            }
            BitSet next = new BitSet();
            for (int place = places.nextSetBit(0); place >= 0; place = places.nextSetBit(place + 1)) {
                read(text, place, characters[i], next);
            }
            if (next.isEmpty()) {
                return -1;
            }
            places = next;
        }
        int end = places.length() - 1;
        boolean goesOn = word && end < text.length() && Character.isLetterOrDigit(text.codePointAt(end));
        return goesOn ? -1 : end;
    }

    /** Whether it stands in the text as it is, and not as a part of a longer word. */
    boolean isWordOf(String text) {
        for (int at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
            int end = at + value.length();
            boolean begins = at == 0 || !Character.isLetterOrDigit(text.codePointBefore(at));
            boolean ends = end == text.length() || !Character.isLetterOrDigit(text.codePointAt(end));
            if (begins && ends) {
                return true;
            }
        }
        return false;
    }

    /** Says no to nearly every place of a text, before anything is made for it. */
    private boolean mayBegin(char here) {
        return here == value.charAt(0) || "%\\+' ?\uFFFD".indexOf(here) >= 0;
    }

    /** Whether what stands before belongs to the same word; the last letter of an escape such as {@code \n} does not. */
    private static boolean isInWord(String text, int start) {
        if (!Character.isLetterOrDigit(text.codePointBefore(start))) {
            return false;
        }
        boolean escape = (start >= 2 && text.charAt(start - 2) == '\\')
                || (start >= 3 && text.charAt(start - 3) == '%')
                || (start >= 6 && text.startsWith("\\u", start - 6));
        return !escape;
    }

    private static void read(String text, int at, int character, BitSet ends) {
        char here = text.charAt(at);
        if (text.codePointAt(at) == character) {
            ends.set(at + Character.charCount(character));
        }
        if (here == '%') {
            mark(ends, percentEncoded(text, at, character, "%"));
            mark(ends, percentEncoded(text, at, character, "%25"));
        } else if (here == '\\') {
            mark(ends, escaped(text, at, character));
        } else if (here == '+' && character == ' ') {
            ends.set(at + 1);
        } else if (here == character && (here == '\'' || here == '"') && text.startsWith("" + here, at + 1)) {
            ends.set(at + 2); // doubled, as in SQL
        } else if (isReplaced(here, character)) {
            ends.set(at + 1);
        }
    }

    /** As logs do it, to keep their lines whole, and as a character set does it that lacks the character. */
    private static boolean isReplaced(char here, int character) {
        return (here == '\'' && character == '"')
                || (here == ' ' && (Character.isISOControl(character) || character == 0x2028 || character == 0x2029))
                || ((here == '?' || here == '\uFFFD') && character > 0x7F);
    }

    /** @param percent the sign itself may have been encoded once more */
    private static int percentEncoded(String text, int at, int character, String percent) {
        int place = at;
        for (byte octet : Character.toString(character).getBytes(StandardCharsets.UTF_8)) {
            if (!text.startsWith(percent, place) || hex(text, place + percent.length(), 2) != (octet & 0xFF)) {
                return -1;
            }
            place += percent.length() + 2;
        }
        return place;
    }

    private static int escaped(String text, int at, int character) {
        if (text.startsWith("u", at + 1)) {
            int place = at;
            for (char unit : Character.toChars(character)) {
                if (!text.startsWith("\\u", place) || hex(text, place + 2, 4) != unit) {
                    return -1;
                }
                place += 6;
            }
            return place;
        }
        if (at + 1 >= text.length()) {
            return -1;
        }
        int control = CONTROL_LETTERS.indexOf(text.charAt(at + 1));
        if (control >= 0 && CONTROLS.charAt(control) == character) {
            return at + 2;
        }
        boolean itself = text.charAt(at + 1) == character && !Character.isLetterOrDigit(character);
        return itself ? at + 2 : -1;
    }

    private static int hex(String text, int from, int digits) {
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

    private static void mark(BitSet ends, int end) {
        if (end >= 0) {
            ends.set(end);
        }
    }
}
