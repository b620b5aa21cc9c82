package dev.postroom.secrets;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Percent-encoding as URLs have it. */
final class PercentCode {
    private PercentCode() {}

    /** What is encoded, decoded; what only looks like it stays as it is. */
    static String decode(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        ByteArrayOutputStream decoded = new ByteArrayOutputStream(text.length());
        int at = 0;
        while (at < text.length()) {
            int octet = text.charAt(at) == '%' ? octet(text, at + 1) : -1;
            if (octet >= 0) {
                decoded.write(octet);
                at += 3;
            } else {
                int character = text.codePointAt(at);
                decoded.writeBytes(Character.toString(character).getBytes(StandardCharsets.UTF_8));
                at += Character.charCount(character);
            }
        }
        return decoded.toString(StandardCharsets.UTF_8);
    }

    private static int octet(String text, int at) {
        if (at + 2 > text.length()) {
            return -1;
        }
        int high = Character.digit(text.charAt(at), 16);
        int low = Character.digit(text.charAt(at + 1), 16);
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }
}
