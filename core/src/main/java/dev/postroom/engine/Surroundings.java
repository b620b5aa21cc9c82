package dev.postroom.engine;

import dev.postroom.policy.Routes;
import java.util.function.DoubleSupplier;
import java.util.function.Function;

/**
 * What an engine works with, beside its numbers.
 *
 * @param routes its own: they remember topics, for one thread
 * @param credit how much each destination takes, by its name
 * @param random numbers from 0 up to 1
 */
public record Surroundings(
        Routes routes,
        Pipelines pipelines,
        Function<String, Credit> credit,
        DoubleSupplier random,
        EngineListener listener) {}
