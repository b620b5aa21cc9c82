package dev.postroom.fuzz.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as text: lines {@code name: value}, an empty line, the payload's bytes. Names that begin with {@code @} are fields of the
 * protocol, such as {@code @content-encoding}; the others are headers.
 */
@SuppressWarnings("ArrayRecordComponent") // a payload is handed through, never compared
record WireText(Map<String, String> fields, Map<String, String> headers, byte[] payload) {

    static WireText of(byte[] input) {
        int end = endOfHead(input);
        Map<String, String> fields = new LinkedHashMap<>();
        Map<String, String> headers = new LinkedHashMap<>();
        for (String line : new String(input, 0, end, StandardCharsets.UTF_8).split("\n", -1)) {
            int colon = line.indexOf(": ");
            if (colon >= 0 && line.startsWith("@")) {
                fields.put(line.substring(1, colon), unescaped(line.substring(colon + 2)));
            } else if (colon >= 0) {
                headers.put(unescaped(line.substring(0, colon)), unescaped(line.substring(colon + 2)));
            }
        }
        byte[] payload = end + 2 > input.length ? new byte[0] : Arrays.copyOfRange(input, end + 2, input.length);
        return new WireText(fields, headers, payload);
    }

    private static int endOfHead(byte[] input) {
        for (int i = 0; i + 1 < input.length; i++) {
            if (input[i] == '\n' && input[i + 1] == '\n') {
                return i;
            }
        }
        return input.length;
    }

    /** A line break and half a character, which a line of UTF-8 cannot have. */
    private static String unescaped(String text) {
        return text.replace("\\n", "\n")
                .replace("\\r", "\r")
                .replace("\\d800", "\ud800")
                .replace("\\0", "\0");
    }

    @Nullable
    String field(String name) {
        return fields.get(name);
    }

    String field(String name, String otherwise) {
        return fields.getOrDefault(name, otherwise);
    }
}
