package dev.postroom.operations;

import dev.postroom.FailureReason;
import java.time.Instant;
import java.util.UUID;

/**
 * Failures alike: same reason, topic and error but for numbers and ids.
 *
 * @param fingerprint the error with its variable parts taken out
 * @param dead how many of them are dead letters, the others wait
 */
public record FailureGroup(
        FailureReason reason,
        String fingerprint,
        String topic,
        long count,
        long dead,
        UUID sampleId,
        String sampleError,
        Instant latest) {}
