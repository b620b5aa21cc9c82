package dev.postroom.micrometer;

import static dev.postroom.micrometer.Traces.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.handler.Handlers;
import dev.postroom.outbox.Limits;
import dev.postroom.outbox.Outbox;
import dev.postroom.relay.ManualRelay;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Tracing;
import dev.postroom.spi.Transport;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R53")
class ObservationTracingTest {
    private static final String GIVEN = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private final Shop shop = new Shop();
    private final Traces traces = new Traces();
    private final Tracing tracing = ObservationTracing.on(traces.registry);
    private final List<Map<String, String>> headers = new ArrayList<>();

    @AfterEach
    void close() {
        traces.close();
    }

    private Outbox.Builder outbox() {
        return Outbox.configure(shop.database.dataSource()).tracing(tracing);
    }

    private Outcome keep(Delivery delivery) {
        headers.add(delivery.headers());
        return Outcome.confirmed();
    }

    private void deliver(Transport transport) {
        try (ManualRelay relay =
                shop.relay().deliverTo("out", transport).tracing(tracing).manual()) {
            relay.drain();
        }
    }

    private static String traceparent(SpanData span) {
        return "00-" + span.getTraceId() + "-" + span.getSpanId() + "-"
                + span.getSpanContext().getTraceFlags().asHex();
    }

    @Test
    void message_carries_the_context_in_which_it_was_created() {
        outbox().build().publishInOwnTransaction(Message.to("orders").header("shop", "north"));
        deliver(Shop.answering(this::keep));
        SpanData create = traces.span("create orders");
        SpanData send = traces.span("send orders");
        assertThat(headers).containsExactly(Map.of("shop", "north", "traceparent", traceparent(create)));
        assertThat(send.getTraceId()).isEqualTo(create.getTraceId());
        assertThat(send.getParentSpanId()).isEqualTo(create.getSpanId());
        assertThat(send.getKind()).as("of a message that has its own context").isEqualTo(SpanKind.CLIENT);
    }

    @Test
    void trace_that_the_user_gave_stays_and_is_gone_on_with() {
        for (String name : List.of("traceparent", "Traceparent")) {
            outbox().build().publishInOwnTransaction(Message.to("orders").header(name, GIVEN));
        }
        deliver(Shop.answering(this::keep));
        assertThat(headers).containsExactlyInAnyOrder(Map.of("traceparent", GIVEN), Map.of("Traceparent", GIVEN));
        assertThat(traces.spans("create")).isEmpty();
        assertThat(traces.spans("send"))
                .hasSize(2)
                .allSatisfy(span -> assertThat(span.getParentSpanId()).isEqualTo("b7ad6b7169203331"));
    }

    @Test
    void trace_of_a_foreign_writers_message_begins_in_the_relay() throws Exception {
        try (Connection connection = shop.database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO postroom_message (topic, payload) VALUES ('orders', X'00')");
        }
        deliver(Shop.answering(this::keep));
        SpanData send = traces.span("send orders");
        assertThat(send.getKind()).isEqualTo(SpanKind.PRODUCER);
        assertThat(headers).containsExactly(Map.of("traceparent", traceparent(send)));
    }

    @Test
    void context_that_does_not_fit_is_left_out() {
        Limits one = new Limits(1_000, 1, 1_000, 100, 100);
        outbox().limits(one)
                .build()
                .publishInOwnTransaction(Message.to("orders").header("shop", "north"));
        try (ManualRelay relay =
                shop.relay().deliverTo("out", Shop.answering(this::keep)).manual()) {
            relay.drain();
        }
        assertThat(headers).containsExactly(Map.of("shop", "north"));
    }

    @Test
    void each_attempt_is_a_span_and_a_failed_one_says_why() {
        outbox().build().publishInOwnTransaction(Message.to("orders").key("42"));
        deliver(Shop.answering(delivery -> delivery.attempt() == 1
                ? Outcome.failed(FailureReason.DEPENDENCY_FAILURE, "no stock")
                : Outcome.confirmed()));
        List<SpanData> sends = traces.spans("send orders");
        assertThat(sends)
                .extracting(span -> attribute(span, "postroom.attempt"))
                .containsExactly("1", "2");
        assertThat(sends.get(0).getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(attribute(sends.get(0), "error.type")).isEqualTo("DEPENDENCY_FAILURE");
        assertThat(attribute(sends.get(0), "postroom.destination")).isEqualTo("out");
        assertThat(sends.get(1).getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(attribute(sends.get(1), "error.type")).isNull();
    }

    @Test
    void function_in_this_process_runs_within_the_trace() {
        outbox().build().publishInOwnTransaction(Message.to("orders"));
        deliver(Handlers.create()
                .tracing(tracing)
                .executor(Runnable::run)
                .on(
                        "orders",
                        delivery -> Observation.createNotStarted("ship", traces.registry)
                                .observe(() -> {})));
        SpanData process = traces.span("process orders");
        assertThat(process.getParentSpanId())
                .isEqualTo(traces.span("create orders").getSpanId());
        assertThat(process.getKind()).isEqualTo(SpanKind.CONSUMER);
        assertThat(traces.span("ship").getParentSpanId()).isEqualTo(process.getSpanId());
    }

    @Test
    void tracing_that_is_not_configured_adds_nothing() {
        assertThat(ObservationTracing.on(ObservationRegistry.NOOP)).isSameAs(Tracing.NONE);
        Tracing withoutHandlers = ObservationTracing.on(ObservationRegistry.create());
        assertThat(withoutHandlers.publishing(Message.to("orders"))).isEmpty();
    }

    @Test
    void broken_tracing_harms_no_message() {
        Tracing broken = new Tracing() {
            @Override
            public Map<String, String> publishing(Message message) {
                throw new IllegalStateException("broken");
            }

            @Override
            public Sending sending(Delivery delivery, String destination, Transport transport) {
                return new Sending() {
                    @Override
                    public Delivery delivery() {
                        return delivery;
                    }

                    @Override
                    public void ended(Outcome outcome) {
                        throw new IllegalStateException("broken");
                    }
                };
            }
        };
        Outbox.configure(shop.database.dataSource())
                .tracing(broken)
                .build()
                .publishInOwnTransaction(Message.to("orders"));
        try (ManualRelay relay = shop.relay()
                .deliverTo("out", Shop.answering(this::keep))
                .tracing(broken)
                .manual()) {
            relay.drain();
        }
        assertThat(headers).containsExactly(Map.of());
        assertThat(shop.store.operations().stats().backlog()).isZero();
    }
}
