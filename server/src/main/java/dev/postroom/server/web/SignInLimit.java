package dev.postroom.server.web;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How often somebody may try wrong passwords: a few times a minute from one address. Addresses that tried longest ago are
 * forgotten when there are too many. Thread-safe.
 */
final class SignInLimit {
    static final int MOST_FAILURES = 10;
    static final Duration WINDOW = Duration.ofMinutes(1);
    static final int MOST_ADDRESSES = 10_000;

    private final LongSupplier nanos;
    private final Map<String, Tries> tries = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Tries> eldest) {
            return size() > MOST_ADDRESSES;
        }
    };

    private record Tries(long since, int failures) {}

    SignInLimit(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** How long this address has to wait; zero when it may try. */
    synchronized Duration wait(String address) {
        Tries made = tries.get(address);
        if (made == null || made.failures < MOST_FAILURES) {
            return Duration.ZERO;
        }
        long left = WINDOW.toNanos() - (nanos.getAsLong() - made.since);
        return left > 0 ? Duration.ofNanos(left) : Duration.ZERO;
    }

    synchronized void failed(String address) {
        long now = nanos.getAsLong();
        Tries made = tries.get(address);
        if (made == null || now - made.since >= WINDOW.toNanos()) {
            tries.put(address, new Tries(now, 1));
        } else {
            tries.put(address, new Tries(made.since, made.failures + 1));
        }
    }

    synchronized int addresses() {
        return tries.size();
    }
}
