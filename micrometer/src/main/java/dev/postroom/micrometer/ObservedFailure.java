package dev.postroom.micrometer;

import io.micrometer.observation.Observation;

/** How a span tells that something failed. Nobody threw it, so it has no stack trace, which would cost more than the rest. */
final class ObservedFailure extends RuntimeException {
    private ObservedFailure(String message) {
        super(message, null, false, false);
    }

    static void of(String reason, String error, Observation observation) {
        observation.highCardinalityKeyValue("error.type", reason);
        observation.error(new ObservedFailure(reason + ": " + error));
    }
}
