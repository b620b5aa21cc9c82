package dev.postroom.spring.boot;

import dev.postroom.PostroomException;
import dev.postroom.policy.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When failed deliveries are tried again: a preset, with single values replaced.
 *
 * @param preset The values to begin with: quick, patient, fixed or jittered.
 * @param base How long after the first failure.
 * @param multiplier By how much each further wait is longer.
 * @param cap The longest wait.
 * @param jitter By which part of it a wait is shortened or prolonged at random, from 0 to 1.
 * @param maxAttempts After so many failures the message is dead.
 * @param errorLength Characters of an error that are kept.
 */
public record RetryProperties(
        @Nullable String preset,
        @Nullable Duration base,
        @Nullable Double multiplier,
        @Nullable Duration cap,
        @Nullable Double jitter,
        @Nullable Integer maxAttempts,
        @Nullable Integer errorLength) {

    /** The policy, or an error that begins with the setting. */
    RetryPolicy policy(String key, RetryPolicy otherwise) {
        try {
            RetryPolicy start =
                    Optional.ofNullable(preset).map(RetryPolicy::preset).orElse(otherwise);
            return new RetryPolicy(
                    Optional.ofNullable(base).orElse(start.base()),
                    Optional.ofNullable(multiplier).orElse(start.multiplier()),
                    Optional.ofNullable(cap).orElse(start.cap()),
                    Optional.ofNullable(jitter).orElse(start.jitter()),
                    Optional.ofNullable(maxAttempts).orElse(start.maxAttempts()));
        } catch (PostroomException e) {
            throw new PostroomException(key + " is wrong: " + e.getMessage(), e);
        }
    }
}
