package dev.postroom.micrometer;

import static org.awaitility.Awaitility.await;

import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.List;

/** An application's tracing as it is with OpenTelemetry: the SDK behind Micrometer, with an exporter that keeps all spans. */
final class Traces implements AutoCloseable {
    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(spans))
            .build();
    final ObservationRegistry registry = ObservationRegistry.create();

    Traces() {
        Tracer otel = provider.get("test");
        OtelTracer tracer = new OtelTracer(otel, new OtelCurrentTraceContext(), event -> {});
        OtelPropagator propagator =
                new OtelPropagator(ContextPropagators.create(W3CTraceContextPropagator.getInstance()), otel);
        registry.observationConfig()
                .observationHandler(new ObservationHandler.FirstMatchingCompositeObservationHandler(
                        new PropagatingSenderTracingObservationHandler<>(tracer, propagator),
                        new PropagatingReceiverTracingObservationHandler<>(tracer, propagator),
                        new DefaultTracingObservationHandler(tracer)));
    }

    /** The one span that begins with this name, once it has ended. */
    SpanData span(String name) {
        await().atMost(Duration.ofSeconds(30)).until(() -> !spans(name).isEmpty());
        List<SpanData> found = spans(name);
        if (found.size() > 1) {
            throw new AssertionError("several spans are called " + name + ": " + found);
        }
        return found.get(0);
    }

    /** In the order in which they ended. */
    List<SpanData> spans(String name) {
        return spans.getFinishedSpanItems().stream()
                .filter(span -> span.getName().startsWith(name))
                .toList();
    }

    static String attribute(SpanData span, String name) {
        return span.getAttributes().get(AttributeKey.stringKey(name));
    }

    @Override
    public void close() {
        provider.close();
    }
}
