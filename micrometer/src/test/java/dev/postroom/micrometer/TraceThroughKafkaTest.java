package dev.postroom.micrometer;

import static dev.postroom.micrometer.Traces.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.handler.DeliveryFailedException;
import dev.postroom.inbox.Inbox;
import dev.postroom.kafka.Kafka;
import dev.postroom.kafka.KafkaInbox;
import dev.postroom.outbox.Outbox;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Tracing;
import dev.postroom.testbed.KafkaBroker;
import io.micrometer.observation.Observation;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One trace from the code that publishes, over the relay and a real broker, to the code that handles. */
@Tag("R53")
class TraceThroughKafkaTest {
    private static final String REFUSED = "refused";

    private final Shop shop = new Shop();
    private final String topic = "orders-" + UUID.randomUUID();
    private final String broker = KafkaBroker.shared().address();

    private void createTopic() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker))) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1), new NewTopic(topic + ".dead", 1, (short) 1)))
                    .all()
                    .get();
        }
    }

    @Test
    void one_trace_from_publish_over_relay_and_broker_to_the_handler() throws Exception {
        createTopic();
        try (Traces traces = new Traces()) {
            Tracing tracing = ObservationTracing.on(traces.registry);
            Outbox outbox = Outbox.configure(shop.database.dataSource())
                    .tracing(tracing)
                    .build();
            Inbox inbox =
                    Inbox.configure(shop.database.dataSource()).tracing(tracing).build();
            try (Relay relay = shop.relay()
                            .deliverTo("kafka", Kafka.at(broker))
                            .tracing(tracing)
                            .start();
                    KafkaInbox consumer = KafkaInbox.at(broker, "billing-" + topic)
                            .topics(topic)
                            .consumer("billing")
                            .start(inbox, (message, tx) -> {
                                Observation.createNotStarted("bill", traces.registry)
                                        .observe(() -> {});
                                if (message.payload().length > 1) {
                                    throw new DeliveryFailedException(FailureReason.VALIDATION_FAILURE, REFUSED);
                                }
                            })) {
                assertThat(relay.isRunning()).isTrue();
                assertThat(consumer).isNotNull();
                String id = Observation.createNotStarted("checkout", traces.registry)
                        .observe(() -> outbox.publishInOwnTransaction(
                                        Message.to(topic).key("42").text("text/plain", "1"))
                                .id()
                                .toString());
                isOneTrace(traces, id);
                traceOfARefusedMessageSaysWhy(traces, outbox);
            }
        }
    }

    private void isOneTrace(Traces traces, String id) {
        SpanData process = traces.span("process " + topic);
        SpanData checkout = traces.span("checkout");
        SpanData create = traces.span("create " + topic);
        SpanData send = traces.span("send " + topic);
        SpanData bill = traces.span("bill");
        assertThat(Stream.of(checkout, create, send, process, bill).map(SpanData::getTraceId))
                .containsOnly(checkout.getTraceId());
        assertThat(create.getParentSpanId()).isEqualTo(checkout.getSpanId());
        assertThat(send.getParentSpanId()).isEqualTo(create.getSpanId());
        assertThat(process.getParentSpanId()).isEqualTo(create.getSpanId());
        assertThat(bill.getParentSpanId()).as("the handler's own work").isEqualTo(process.getSpanId());
        assertThat(create.getKind()).isEqualTo(SpanKind.PRODUCER);
        assertThat(process.getKind()).isEqualTo(SpanKind.CONSUMER);
        assertThat(attribute(create, "messaging.system")).isEqualTo("postroom");
        assertThat(attribute(send, "messaging.system")).isEqualTo("kafka");
        assertThat(attribute(process, "messaging.system")).isEqualTo("kafka");
        assertThat(attribute(process, "messaging.consumer.group.name")).isEqualTo("billing");
        for (SpanData span : List.of(create, send, process)) {
            String operation = span.getName().substring(0, span.getName().indexOf(' '));
            assertThat(attribute(span, "messaging.operation.type")).isEqualTo(operation);
            assertThat(attribute(span, "messaging.operation.name")).isEqualTo(operation);
            assertThat(attribute(span, "messaging.destination.name")).isEqualTo(topic);
            assertThat(attribute(span, "messaging.message.id")).isEqualTo(id);
        }
    }

    private void traceOfARefusedMessageSaysWhy(Traces traces, Outbox outbox) {
        outbox.publishInOwnTransaction(Message.to(topic).text("text/plain", "two"));
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> traces.spans("process " + topic).size() == 2);
        SpanData refused = traces.spans("process " + topic).get(1);
        assertThat(attribute(refused, "error.type")).isEqualTo("VALIDATION_FAILURE");
        assertThat(refused.getStatus().getDescription()).contains(REFUSED);
        assertThat(refused.getParentSpanId())
                .isEqualTo(traces.spans("create " + topic).get(1).getSpanId());
    }
}
