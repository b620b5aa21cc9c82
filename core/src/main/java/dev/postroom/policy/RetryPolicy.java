package dev.postroom.policy;

import dev.postroom.PostroomException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/**
 * How often a failed delivery is tried again, and when: {@code delay(n) = min(base * multiplier^(n-1), cap)}, spread by
 * the jitter in both directions. Immutable.
 *
 * @param base the delay after the first failure
 * @param jitter 0 for none, 0.2 for up to 20 percent more or less
 * @param maxAttempts after so many failures the message is dead
 */
public record RetryPolicy(Duration base, double multiplier, Duration cap, double jitter, int maxAttempts) {
    private static final Duration LONGEST = Duration.ofDays(365);

    /** 2 s, doubled up to 5 min, 20 % jitter, 10 attempts. */
    public static final RetryPolicy DEFAULT = new RetryPolicy(Duration.ofSeconds(2), 2, Duration.ofMinutes(5), 0.2, 10);

    /** Schedules by name, as in {@code postroom.retry.preset}. */
    public static final Map<String, RetryPolicy> PRESETS = Map.of(
            "default", DEFAULT,
            "quick", new RetryPolicy(Duration.ofSeconds(2), 2, Duration.ofMinutes(5), 0, 5),
            "patient", new RetryPolicy(Duration.ofSeconds(60), 2, Duration.ofHours(1), 0, 10),
            "fixed", new RetryPolicy(Duration.ofSeconds(10), 1, Duration.ofSeconds(10), 0, 3),
            "jittered", new RetryPolicy(Duration.ofSeconds(10), 2, Duration.ofHours(1), 0.2, 5));

    public RetryPolicy {
        if (base.isNegative() || base.compareTo(cap) > 0) {
            throw new PostroomException("the first retry delay must be between 0 and the cap (was " + base + ", cap "
                    + cap + "): change postroom.retry.base or postroom.retry.cap");
        }
        if (cap.compareTo(LONGEST) > 0) {
            throw new PostroomException(
                    "retries may be at most 365 days apart (was " + cap + "): lower postroom.retry.cap");
        }
        if (!(multiplier >= 1 && multiplier <= 100)) {
            throw new PostroomException(
                    "the retry multiplier must be 1 to 100 (was " + multiplier + "): change postroom.retry.multiplier");
        }
        if (!(jitter >= 0 && jitter <= 1)) {
            throw new PostroomException(
                    "the retry jitter must be 0 to 1 (was " + jitter + "): change postroom.retry.jitter");
        }
        if (maxAttempts < 1) {
            throw new PostroomException(
                    "there must be at least one attempt (was " + maxAttempts + "): change postroom.retry.max-attempts");
        }
    }

    /** The preset of this name. */
    public static RetryPolicy preset(String name) {
        RetryPolicy preset = PRESETS.get(name.toLowerCase(Locale.ROOT));
        if (preset == null) {
            throw new PostroomException("no retry preset is called '" + name + "': use one of "
                    + String.join(", ", PRESETS.keySet().stream().sorted().toList()));
        }
        return preset;
    }

    public RetryPolicy maxAttempts(int attempts) {
        return new RetryPolicy(base, multiplier, cap, jitter, attempts);
    }

    /** Whether another try follows after so many failures. */
    public boolean allowsAfter(int failures) {
        return failures < maxAttempts;
    }

    /**
     * The delay after the n-th failure.
     *
     * @param random 0 up to 1, what the jitter makes of it
     */
    public Duration delay(int failures, double random) {
        // Clamped, so that the hundredth failure does not overflow; beyond it every schedule is at its cap anyway.
        int exponent = Math.min(Math.max(failures, 1) - 1, 1_000);
        double nanos = Math.min(base.toNanos() * Math.pow(multiplier, exponent), (double) cap.toNanos());
        double spread = 1 + jitter * (2 * random - 1);
        return Duration.ofNanos((long) Math.min(nanos * spread, Long.MAX_VALUE / 2.0));
    }
}
