package dev.postroom.fuzz.rest;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A request as text: a line with method and target, lines with headers, an empty line, the body. Any bytes are a request. Words in
 * braces stand for what a file cannot know, such as the id of a message, or what would be long.
 */
record RequestText(String method, String target, List<String> headers, String body) {
    /** Bytes are characters here, so that nothing is lost on the way. */
    private static final Charset BYTES = StandardCharsets.ISO_8859_1;

    /** What decides where a request begins and ends is not for the input to say. */
    private static final Set<String> OURS =
            Set.of("host", "content-length", "transfer-encoding", "connection", "expect", "upgrade");

    static RequestText of(byte[] input, Map<String, String> words) {
        String text = new String(input, BYTES).replace("\r", "");
        for (Map.Entry<String, String> word : words.entrySet()) {
            text = text.replace("{" + word.getKey() + "}", word.getValue());
        }
        int end = text.indexOf("\n\n");
        String[] head = (end < 0 ? text : text.substring(0, end)).split("\n", -1);
        int space = head[0].indexOf(' ');
        List<String> headers = new ArrayList<>();
        for (int i = 1; i < head.length; i++) {
            if (!OURS.contains(nameOf(head[i]))) {
                headers.add(head[i]);
            }
        }
        String target = space < 0 ? "" : head[0].substring(space + 1).strip().replace(" ", "%20");
        return new RequestText(
                method(space < 0 ? head[0] : head[0].substring(0, space)),
                target.isEmpty() ? "/" : target,
                headers,
                end < 0 ? "" : text.substring(end + 2));
    }

    private static String method(String text) {
        String token = text.replaceAll("[^A-Za-z-]", "");
        return token.isEmpty() || token.equals("CONNECT") ? "GET" : token;
    }

    private static String nameOf(String header) {
        int colon = header.indexOf(':');
        return (colon < 0 ? header : header.substring(0, colon)).strip().toLowerCase(Locale.ROOT);
    }

    /** What goes over the wire, with more headers. */
    byte[] bytes(List<String> more) {
        StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n");
        for (String header : headers) {
            // Two identities in one request are the server's choice, and would mostly be nobody's.
            if (!header.isEmpty() && (more.isEmpty() || !nameOf(header).equals("authorization"))) {
                head.append(header).append("\r\n");
            }
        }
        more.forEach(header -> head.append(header).append("\r\n"));
        if (!body.isEmpty() || method.equals("POST")) {
            head.append("Content-Length: ").append(body.length()).append("\r\n");
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes((head + "\r\n" + body).getBytes(BYTES));
        return bytes.toByteArray();
    }

    /** All of it, to see whether an answer only repeats what was sent. */
    String everything() {
        return target + headers + body;
    }

    /** The path as a server may read it: decoded, without parameters, dots or empty parts. */
    String plainPath() {
        String path = target.split("[?#]", 2)[0]
                .replaceFirst("^[a-zA-Z]+://[^/]*", "")
                .replaceAll(";[^/]*", "");
        StringBuilder decoded = new StringBuilder();
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '%' && path.substring(i).matches("(?s)%[0-9a-fA-F]{2}.*")) {
                c = (char) Integer.parseInt(path.substring(i + 1, i + 3), 16);
                i += 2;
            }
            decoded.append(c);
        }
        return decoded.toString().replaceAll("/(\\./)+", "/").replaceAll("/+", "/");
    }
}
