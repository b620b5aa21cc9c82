package dev.postroom.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

/**
 * An observation in OpenTelemetry's words for messaging. What a message's writer chooses is of high cardinality: it belongs
 * to the span, and never to a meter that somebody makes of observations. For one thread.
 */
final class MessagingObservation {
    private final String operation;
    private final Observation observation;

    private MessagingObservation(String operation, Observation observation) {
        this.operation = operation;
        this.observation = observation;
    }

    static MessagingObservation of(String operation, Observation.Context context, ObservationRegistry registry) {
        Observation observation = Observation.createNotStarted("postroom." + operation, () -> context, registry)
                .lowCardinalityKeyValue("messaging.operation.name", operation)
                .lowCardinalityKeyValue("messaging.operation.type", operation);
        return new MessagingObservation(operation, observation);
    }

    MessagingObservation system(String system) {
        observation.lowCardinalityKeyValue("messaging.system", system);
        return this;
    }

    /** The topic or queue, which is also in the name of the span. */
    MessagingObservation destination(String name) {
        observation.contextualName(operation + " " + name).highCardinalityKeyValue("messaging.destination.name", name);
        return this;
    }

    /** What the relay calls where it delivers to. */
    MessagingObservation relayDestination(String name) {
        observation.lowCardinalityKeyValue("postroom.destination", name);
        return this;
    }

    MessagingObservation consumer(String name) {
        observation.lowCardinalityKeyValue("messaging.consumer.group.name", name);
        return this;
    }

    MessagingObservation message(String id) {
        observation.highCardinalityKeyValue("messaging.message.id", id);
        return this;
    }

    MessagingObservation attempt(int number) {
        observation.highCardinalityKeyValue("postroom.attempt", Integer.toString(number));
        return this;
    }

    Observation start() {
        return observation.start();
    }
}
