package dev.postroom.http;

import java.nio.charset.StandardCharsets;

/** CloudEvents attributes as HTTP header values, percent-encoded as the HTTP binding of CloudEvents wants them. */
final class AttributeText {
    private static final String HEX = "0123456789ABCDEF";

    private AttributeText() {}

    /** Everything but printable ASCII is encoded, and space, double quote and percent sign. */
    static String encode(String value) {
        StringBuilder text = new StringBuilder(value.length() + 16);
        for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
            if (b > ' ' && b < 0x7f && b != '"' && b != '%') {
                text.append((char) b);
            } else {
                text.append('%').append(HEX.charAt(b >> 4 & 0xf)).append(HEX.charAt(b & 0xf));
            }
        }
        return text.toString();
    }
}
