package dev.postroom.server.web;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How often wrong passwords may be tried: a few times a minute for one name from one address, or
 * one network of IPv6. Many may share an address, that of a proxy: who guesses one's password must not lock the others out. What was tried longest ago is forgotten when there is
 * too much. Thread-safe.
 */
final class SignInLimit {
    static final int MOST_FAILURES = 10;
    static final Duration WINDOW = Duration.ofMinutes(1);
    static final int MOST_REMEMBERED = 10_000;

    private final LongSupplier nanos;
    private final Map<Guessed, Tries> tries = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Guessed, Tries> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    /** @param name its digest: names may be long, and are a stranger's choice, who could find two with the same short hash */
    private record Guessed(String client, String name) {
        static Guessed of(String address, String name) {
            return new Guessed(ClientAddress.owner(address), LongPasswords.digest(name));
        }
    }

    private record Tries(long since, int failures) {}

    SignInLimit(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** How long this name has to wait at this address; zero when it may try. */
    synchronized Duration wait(String address, String name) {
        Tries made = tries.get(Guessed.of(address, name));
        if (made == null || made.failures < MOST_FAILURES) {
            return Duration.ZERO;
        }
        long left = WINDOW.toNanos() - (nanos.getAsLong() - made.since);
        return left > 0 ? Duration.ofNanos(left) : Duration.ZERO;
    }

    synchronized void failed(String address, String name) {
        long now = nanos.getAsLong();
        Guessed guessed = Guessed.of(address, name);
        Tries made = tries.get(guessed);
        if (made == null || now - made.since >= WINDOW.toNanos()) {
            tries.put(guessed, new Tries(now, 1));
        } else {
            tries.put(guessed, new Tries(made.since, made.failures + 1));
        }
    }

    synchronized int remembered() {
        return tries.size();
    }
}
