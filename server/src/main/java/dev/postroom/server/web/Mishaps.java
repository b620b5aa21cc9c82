package dev.postroom.server.web;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What requests have made go wrong where nobody expected it. Strangers can ask for the same again and again, so the log has each
 * kind once a minute, with how often it came since. Thread-safe.
 */
final class Mishaps {
    private static final Logger LOG = LoggerFactory.getLogger(Mishaps.class);
    private static final long INTERVAL = Duration.ofMinutes(1).toNanos();
    private static final int MOST_KINDS = 100;

    private final LongSupplier nanos;
    private final Map<String, Seen> seen = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
            return size() > MOST_KINDS;
        }
    };

    private record Seen(long logged, int since) {}

    Mishaps(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** The status that the request is answered with: its own fault where its parameters cannot be decoded, else ours. */
    int status(Exception e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidParameterException) {
                LOG.debug("a request cannot be read", e);
                return 400;
            }
        }
        int times = due(kind(e));
        if (times > 0) {
            LOG.error("a request failed ({} like it since this was last logged)", times, e);
        }
        return 500;
    }

    private static String kind(Exception e) {
        StackTraceElement[] trace = e.getStackTrace();
        return e.getClass().getName() + (trace.length == 0 ? "" : trace[0]);
    }

    /** How many there were, when it is time to log one; otherwise 0. */
    synchronized int due(String kind) {
        long now = nanos.getAsLong();
        Seen before = seen.get(kind);
        if (before != null && now - before.logged < INTERVAL) {
            seen.put(kind, new Seen(before.logged, before.since + 1));
            return 0;
        }
        seen.put(kind, new Seen(now, 0));
        return before == null ? 1 : before.since + 1;
    }
}
