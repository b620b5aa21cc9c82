package dev.postroom.micrometer;

import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Tracing;
import io.micrometer.observation.Observation;

/** An attempt of a relay, from handing it to the transport until its answer. */
record ObservedSending(Delivery delivery, Observation observation) implements Tracing.Sending {

    @Override
    public void ended(Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            ObservedFailure.of(failed.reason().name(), failed.error(), observation);
        }
        observation.stop();
    }
}
