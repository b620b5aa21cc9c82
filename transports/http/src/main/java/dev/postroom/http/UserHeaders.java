package dev.postroom.http;

import dev.postroom.FailureReason;
import dev.postroom.handler.DeliveryFailedException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The user's own headers as HTTP headers.
 *
 * <p>What HTTP cannot carry is refused for good: a header left out in silence would be missed by a receiver who needs it,
 * while a dead letter with a clear error is found the first time somebody tries. What belongs to the connection, to the
 * event or to the signature is left out: there it says something that is not the message's to say, and a
 * message may well carry such a header for another destination of its route.
 */
final class UserHeaders {
    private static final String TOKEN = "!#$%&'*+-.^_`|~";

    private static final Pattern SEPARATOR = Pattern.compile("[^a-z0-9]");

    /** {@code proxy} becomes HTTP_PROXY of a CGI program, which many clients take for the proxy to use. */
    private static final Set<String> LEFT_OUT = Set.of(
            "connection",
            "content-encoding",
            "content-length",
            "content-type",
            "date",
            "expect",
            "host",
            "http2-settings",
            "keep-alive",
            "proxy",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "user-agent",
            "via");

    private UserHeaders() {}

    /**
     * Those that go along, by name.
     *
     * @throws DeliveryFailedException with a permanent reason, when one cannot be a header of HTTP
     */
    static Map<String, String> of(Map<String, String> headers) {
        Map<String, String> sent = new TreeMap<>();
        headers.forEach((name, value) -> {
            if (!isToken(name)) {
                throw refused(
                        "the header '" + name + "' cannot be sent over HTTP, whose header names are letters, digits"
                                + " and " + TOKEN + ": rename it");
            }
            requireLegal("header '" + name + "'", value);
            String read = asReceiversRead(name);
            if (!LEFT_OUT.contains(read) && !read.startsWith("ce-") && !read.startsWith("webhook-")) {
                sent.put(name, value);
            }
        });
        return sent;
    }

    /**
     * The name as it may come to be compared: WSGI and CGI make one name of {@code ce-id}, {@code ce_id} and, in some servers,
     * {@code ce.id}, and join their values or keep either.
     */
    private static String asReceiversRead(String name) {
        return SEPARATOR.matcher(name.toLowerCase(Locale.ROOT)).replaceAll("-");
    }

    /** A line break would begin another header. */
    static void requireLegal(String what, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f) {
                throw refused("the " + what + " contains the control character U+" + String.format("%04X", (int) c)
                        + ", which cannot be sent over HTTP: remove it");
            }
        }
    }

    private static boolean isToken(String name) {
        return !name.isEmpty()
                && name.chars()
                        .allMatch(c -> (c >= 'a' && c <= 'z')
                                || (c >= 'A' && c <= 'Z')
                                || (c >= '0' && c <= '9')
                                || TOKEN.indexOf(c) >= 0);
    }

    private static DeliveryFailedException refused(String why) {
        return new DeliveryFailedException(FailureReason.VALIDATION_FAILURE, why);
    }
}
