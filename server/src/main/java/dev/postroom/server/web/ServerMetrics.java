package dev.postroom.server.web;

import dev.postroom.micrometer.PostroomMetrics;
import dev.postroom.relay.RelayListener;
import dev.postroom.spi.Store;
import io.micrometer.core.instrument.Clock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import org.springframework.context.support.GenericApplicationContext;

/** What Prometheus reads. Made before the relay, which tells it what it does, and shown by the web server. */
public final class ServerMetrics implements AutoCloseable {
    private final PrometheusRegistry scraped = new PrometheusRegistry();
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, scraped, Clock.SYSTEM);
    private final PostroomMetrics metrics = PostroomMetrics.on(registry);

    /** What the relay of this process is to tell. */
    public RelayListener relayListener() {
        return metrics.relayListener();
    }

    /** How the outbox stands is asked here. */
    void watch(Store store) {
        metrics.watch(store);
    }

    /** Spring Boot's own endpoint shows them, with those of the virtual machine. */
    void register(GenericApplicationContext context) {
        context.registerBean(PrometheusRegistry.class, () -> scraped);
        context.registerBean(PrometheusMeterRegistry.class, () -> registry, bean -> bean.setDestroyMethodName(""));
    }

    @Override
    public void close() {
        metrics.close();
        registry.close();
    }
}
