package dev.postroom.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Registers meters with the tags that all of ours have, and remembers them to remove them again. Thread-safe. */
final class Meters implements AutoCloseable {
    private final MeterRegistry registry;
    private final Tags common;
    private final Set<Meter> registered = ConcurrentHashMap.newKeySet();

    Meters(MeterRegistry registry, Tags common) {
        this.registry = registry;
        this.common = common;
    }

    void gauge(String name, @Nullable String unit, String description, Tags tags, Supplier<Number> value) {
        keep(Gauge.builder(name, value)
                .baseUnit(unit)
                .description(description)
                .tags(common.and(tags))
                .register(registry));
    }

    Counter counter(String name, String description, Tags tags) {
        return keep(Counter.builder(name)
                .description(description)
                .tags(common.and(tags))
                .register(registry));
    }

    /**
     * Of what is counted elsewhere. Micrometer holds what it counts by a weak reference, and shows the last number for ever
     * once that is collected: it is given the registry, which lives as long as the counter is shown.
     */
    void counting(String name, String description, Supplier<Number> count) {
        keep(FunctionCounter.builder(name, registry, shownIn -> count.get().doubleValue())
                .description(description)
                .tags(common)
                .register(registry));
    }

    /** With these buckets in a histogram. */
    Timer timer(String name, String description, Tags tags, Duration... buckets) {
        return keep(Timer.builder(name)
                .description(description)
                .tags(common.and(tags))
                .serviceLevelObjectives(buckets)
                .register(registry));
    }

    /** With these buckets in a histogram. */
    DistributionSummary summary(String name, @Nullable String unit, String description, Tags tags, double... buckets) {
        return keep(DistributionSummary.builder(name)
                .baseUnit(unit)
                .description(description)
                .tags(common.and(tags))
                .serviceLevelObjectives(buckets)
                .register(registry));
    }

    private <M extends Meter> M keep(M meter) {
        registered.add(meter);
        return meter;
    }

    @Override
    public void close() {
        registered.forEach(registry::remove);
        registered.clear();
    }
}
