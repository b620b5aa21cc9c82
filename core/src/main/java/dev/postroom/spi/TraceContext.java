package dev.postroom.spi;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The W3C trace context among a message's headers, whose names are compared without case. A context that cannot be read
 * continues no trace, and makes some receivers refuse the message.
 */
public final class TraceContext {
    public static final String PARENT = "traceparent";
    public static final String STATE = "tracestate";

    private static final int TRACE = 3;
    private static final int SPAN = 36;
    private static final int FLAGS = 53;
    private static final int LENGTH = 55;

    private TraceContext() {}

    /** These headers, without a context that is none: the parent, or several of them, and the state that goes with it. */
    public static Map<String, String> validIn(Map<String, String> headers) {
        int parents = 0;
        boolean valid = true;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            if (header.getKey().equalsIgnoreCase(PARENT)) {
                parents++;
                valid &= isParent(header.getValue());
            }
        }
        if (valid && parents <= 1) {
            return headers;
        }
        Map<String, String> rest = new LinkedHashMap<>(headers);
        rest.keySet().removeIf(name -> name.equalsIgnoreCase(PARENT) || name.equalsIgnoreCase(STATE));
        return rest;
    }

    /** The value of the header of this name; null when there is none. */
    public static @Nullable String find(Map<String, String> headers, String name) {
        String exact = headers.get(name);
        if (exact != null) {
            return exact;
        }
        for (Map.Entry<String, String> header : headers.entrySet()) {
            if (header.getKey().equalsIgnoreCase(name)) {
                return header.getValue();
            }
        }
        return null;
    }

    /** As {@code 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01}; later versions may append to it. */
    public static boolean isParent(String value) {
        return value.length() >= LENGTH
                && value.charAt(TRACE - 1) == '-'
                && value.charAt(SPAN - 1) == '-'
                && value.charAt(FLAGS - 1) == '-'
                && isHex(value, 0, TRACE - 1)
                && isId(value, TRACE, SPAN - 1)
                && isId(value, SPAN, FLAGS - 1)
                && isHex(value, FLAGS, LENGTH)
                && !value.startsWith("ff")
                && (value.length() == LENGTH || (!value.startsWith("00") && value.charAt(LENGTH) == '-'));
    }

    private static boolean isId(String value, int from, int to) {
        boolean something = false;
        for (int i = from; i < to; i++) {
            something |= value.charAt(i) != '0';
        }
        return something && isHex(value, from, to);
    }

    private static boolean isHex(String value, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = value.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return true;
    }
}
