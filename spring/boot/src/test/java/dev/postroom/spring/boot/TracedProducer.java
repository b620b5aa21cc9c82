package dev.postroom.spring.boot;

import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.propagation.Propagator;
import java.lang.reflect.Proxy;
import java.util.List;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;

/** An application with a tracer that makes no spans, and writes a context all the same. */
@SpringBootConfiguration
@EnableAutoConfiguration
class TracedProducer {
    static final String CONTEXT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    @Bean
    Tracer tracer() {
        return (Tracer) Proxy.newProxyInstance(
                TracedProducer.class.getClassLoader(),
                new Class<?>[] {Tracer.class},
                (proxy, method, arguments) -> method.invoke(Tracer.NOOP, arguments));
    }

    @Bean
    @Order(0) // before the one that takes everything, where Spring Boot brings that
    PropagatingSenderTracingObservationHandler<?> sending(Tracer tracer) {
        return new PropagatingSenderTracingObservationHandler<>(tracer, new Propagator() {
            @Override
            public List<String> fields() {
                return List.of("traceparent");
            }

            @Override
            public <C> void inject(TraceContext context, C carrier, Setter<C> setter) {
                setter.set(carrier, "traceparent", CONTEXT);
            }

            @Override
            public <C> Span.Builder extract(C carrier, Getter<C> getter) {
                return Span.Builder.NOOP;
            }
        });
    }
}
