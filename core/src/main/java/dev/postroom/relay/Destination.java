package dev.postroom.relay;

import dev.postroom.PostroomException;
import dev.postroom.spi.Transport;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Where messages go. Immutable.
 *
 * @param name what routes, pauses and the database call it
 * @param rate messages per second at most; 0 for as many as it takes
 * @param timeout how long it may take to answer
 * @param probeInterval how soon it is tried with one message when it is down; then less and less often, up to every 30 s
 * @param failuresInARow after so many failures, with none of its messages confirmed in between, it is taken for down; 0 for never
 */
public record Destination(
        String name, Transport transport, int rate, Duration timeout, Duration probeInterval, int failuresInARow) {
    /** The name of a destination that was given none. */
    public static final String DEFAULT_NAME = "default";

    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
    public static final Duration DEFAULT_PROBE_INTERVAL = Duration.ofSeconds(2);
    public static final int DEFAULT_FAILURES_IN_A_ROW = 20;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,62}");

    public Destination {
        if (!NAME.matcher(name).matches()) {
            throw new PostroomException(
                    "a destination's name must be 1 to 63 letters, digits, '_' or '-', beginning with"
                            + " a letter or digit (was '" + name + "'): change postroom.destinations.NAME");
        }
        require(rate >= 0, "must be at least 1 message per second, or 0 for no limit", rate, name, "rate");
        require(timeout.toMillis() >= 1, "must be at least 1 ms", timeout, name, "timeout");
        require(probeInterval.toMillis() >= 1, "must be at least 1 ms", probeInterval, name, "breaker.probe-interval");
        require(
                failuresInARow >= 0,
                "must be a number of failures, or 0 to take none of them for an outage",
                failuresInARow,
                name,
                "breaker.failures-in-a-row");
    }

    /** A destination with default settings. */
    public static Destination of(String name, Transport transport) {
        return new Destination(name, transport, 0, DEFAULT_TIMEOUT, DEFAULT_PROBE_INTERVAL, DEFAULT_FAILURES_IN_A_ROW);
    }

    /** At most so many messages per second; 0 for as many as it takes. */
    public Destination rate(int perSecond) {
        return new Destination(name, transport, perSecond, timeout, probeInterval, failuresInARow);
    }

    /** A send without an answer for so long has failed. */
    public Destination timeout(Duration limit) {
        return new Destination(name, transport, rate, limit, probeInterval, failuresInARow);
    }

    /** When it is down, one message is tried after this time; while it stays down, less and less often, up to every 30 s. */
    public Destination probeInterval(Duration interval) {
        return new Destination(name, transport, rate, timeout, interval, failuresInARow);
    }

    /**
     * After so many failures in a row of messages of at least three keys, with nothing confirmed in between, the destination is held, or
     * the one type that all of them have: no message spends an attempt or dies until one is confirmed. 0 to blame the messages, however
     * many fail.
     */
    public Destination failuresInARow(int most) {
        return new Destination(name, transport, rate, timeout, probeInterval, most);
    }

    private static void require(boolean met, String rule, Object was, String name, String setting) {
        if (!met) {
            String key = "postroom.destinations." + name + "." + setting;
            throw new PostroomException(key + " " + rule + " (was " + was + "): change it");
        }
    }
}
