package dev.postroom.micrometer;

import dev.postroom.spi.Tracing;
import io.micrometer.observation.Observation;

/** A message being handled: what its handler does belongs to the same trace, because this is current on its thread. */
record ObservedHandling(Observation observation, Observation.Scope scope) implements Tracing.Handling {

    @Override
    public void failed(String reason, String error) {
        ObservedFailure.of(reason, error, observation);
    }

    @Override
    public void close() {
        scope.close();
        observation.stop();
    }
}
