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

    /** With the texts as they may be shown. */
    public static FailureView of(FailureGroup group, String fingerprint, String sampleError) {
        return new FailureView(
                group.reason().name(),
                fingerprint,
                group.topic(),
                group.count(),
                group.dead(),
                group.sampleId().toString(),
                sampleError,
                group.latest());
    }
}
