package dev.postroom.follow;

import dev.postroom.engine.EngineSettings;
import dev.postroom.engine.Pipelines;
import dev.postroom.engine.Surroundings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the destinations of an engine: each has its share of memory, and of the stream ids. */
final class Destinations {
    private Destinations() {}

    static Map<String, Destination> of(EngineSettings settings, Surroundings surroundings) {
        Map<String, Destination> destinations = new LinkedHashMap<>();
        List<String> names = surroundings.routes().destinations();
        int count = Math.max(1, names.size());
        Destination.Share share = new Destination.Share(
                Math.max(1, settings.maxInFlight() / count),
                Math.max(1, settings.maxInFlightBytes() / count),
                settings.bounds().streamShare(),
                Math.max(1, settings.maxInFlight() / count / 2),
                settings.bounds().probes(),
                settings.bounds().parts());
        for (String name : names) {
            destinations.put(
                    name,
                    new Destination(
                            name,
                            surroundings.routes().mask(name),
                            share,
                            breaker(settings, surroundings, name),
                            new FailureRuns(settings.breakers().apply(name).failuresInARow()),
                            surroundings.credit().apply(name),
                            pipeline(surroundings.pipelines(), name),
                            new Crowd(),
                            new StreamBudget(Math.max(1, settings.bounds().behindStreams() / count))));
        }
        return destinations;
    }

    static Breaker breaker(EngineSettings settings, Surroundings surroundings, String name) {
        return new Breaker(settings.breakers().apply(name).probeInterval(), surroundings.random());
    }

    private static Destination.Pipeline pipeline(Pipelines pipelines, String name) {
        if (!pipelines.destinations().contains(name)) {
            return Destination.Pipeline.NONE;
        }
        return (ahead, topic) -> {
            String brokersTopic = pipelines.topicAt(name, ahead.name());
            return brokersTopic != null && brokersTopic.equals(pipelines.topicAt(name, topic.name()));
        };
    }
}
