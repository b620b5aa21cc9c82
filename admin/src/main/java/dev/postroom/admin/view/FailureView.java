package dev.postroom.admin.view;

import dev.postroom.operations.FailureGroup;
import java.time.Instant;

/** Failures alike. */
public record FailureView(
        String reason,
        String fingerprint,
        String topic,
        long count,
        long dead,
        String sampleId,
        String sampleError,
        Instant latest) {

    public static FailureView of(FailureGroup group) {
        return new FailureView(
                group.reason().name(),
                group.fingerprint(),
                group.topic(),
                group.count(),
                group.dead(),
                group.sampleId().toString(),
                group.sampleError(),
                group.latest());
    }
}
