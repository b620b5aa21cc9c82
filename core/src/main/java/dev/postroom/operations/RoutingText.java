package dev.postroom.operations;

import dev.postroom.PostroomException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A relay's routing in words: one line per route, in the order in which they are tried. Two relays with the same text send
 * every message to the same destinations, whatever their handlers, addresses and retry settings.
 *
 * @param text {@code orders.** -> audit, broker (block)}, a line each; empty for a relay that tells none
 */
public record RoutingText(String text) {
    public static final RoutingText NONE = new RoutingText("");

    /** In characters; every database takes as many. */
    public static final int LONGEST_STORED = 32_000;

    private static final Pattern ESCAPE = Pattern.compile("\\\\u([0-9a-f]{4})");
    private static final String ARROW = " -> ";
    private static final int FINGERPRINT_BYTES = 16;

    /** A route: the topics it is for, where they go, by name, and what a failing message does to its stream. */
    public record Line(String topic, List<String> destinations, String onFailure) {
        public Line {
            destinations = destinations.stream().sorted().toList();
        }

        @Override
        public String toString() {
            return topic + ARROW + String.join(", ", destinations) + " (" + onFailure + ")";
        }
    }

    public static RoutingText of(List<Line> routes) {
        return new RoutingText(String.join(
                "\n",
                routes.stream()
                        .map(line -> new Line(printable(line.topic()), line.destinations(), line.onFailure()))
                        .map(Line::toString)
                        .toList()));
    }

    /** A topic may hold anything, and must neither end its line nor look like another. */
    static String printable(String topic) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < topic.length(); i++) {
            char c = topic.charAt(i);
            if (c == '\\' || Character.isISOControl(c) || Character.isSurrogate(c)) {
                text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    /** The topic that was made {@link #printable}. */
    static String topic(String printable) {
        return ESCAPE.matcher(printable)
                .replaceAll(escape ->
                        Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(escape.group(1), 16))));
    }

    /** The routes for people, a line each. */
    public List<String> printed() {
        return lines().stream().map(Line::toString).toList();
    }

    /** Short and the same for the same routes; empty when there are none. */
    public String fingerprint() {
        if (text.isEmpty()) {
            return "";
        }
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, FINGERPRINT_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new PostroomException("this JVM has no SHA-256, which every JVM must have: use another", e);
        }
    }

    /** What a database keeps for people: whole lines, as many as fit. */
    public String stored() {
        if (text.length() <= LONGEST_STORED) {
            return text;
        }
        return text.substring(0, Math.max(0, text.lastIndexOf('\n', LONGEST_STORED)));
    }

    /** Where messages of the topic go: by the first route that matches; nowhere when none does. */
    public List<String> destinations(String topic) {
        String printed = printable(topic);
        return lines().stream()
                .filter(line -> new Glob(line.topic()).matches(printed))
                .findFirst()
                .map(Line::destinations)
                .orElse(List.of());
    }

    /** The routes; lines that cannot be read are left out. */
    public List<Line> lines() {
        List<Line> lines = new ArrayList<>();
        for (String line : text.lines().toList()) {
            int arrow = line.lastIndexOf(ARROW);
            int policy = line.lastIndexOf(" (");
            if (arrow > 0 && policy > arrow && line.endsWith(")")) {
                String destinations = line.substring(arrow + ARROW.length(), policy);
                lines.add(new Line(
                        line.substring(0, arrow),
                        List.of(destinations.split(", ", -1)),
                        line.substring(policy + 2, line.length() - 1)));
            }
        }
        return lines;
    }
}
