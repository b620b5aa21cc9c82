package dev.postroom.fuzz.wire;

import dev.postroom.handler.DeliveryFailedException;
import dev.postroom.http.WebhookForm;
import dev.postroom.inbox.ReceivedMessage;
import dev.postroom.kafka.KafkaForm;
import dev.postroom.rabbitmq.AmqpForm;
import dev.postroom.spi.Delivery;
import dev.postroom.transport.cloudevents.ContentMode;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A message in the form of each transport: what goes out there must be legal and come back as it was, or be refused for good. */
public final class Forms {
    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);

    private Forms() {}

    /** Fails with an AssertionError when a transport would put something else on the wire. */
    public static void check(Delivery delivery, @Nullable String secret) {
        for (ContentMode mode : ContentMode.values()) {
            ReceivedMessage amqp = orRefused(() -> AmqpForm.received(AmqpForm.sent(delivery, mode)));
            ReceivedMessage kafka = mode == ContentMode.BINARY
                    ? orRefused(() -> KafkaForm.received(KafkaForm.sent(delivery, mode)))
                    : null;
            Map<String, String> http = orRefused(() -> WebhookForm.headers(delivery, mode, secret, NOW));
            if (mode == ContentMode.BINARY) {
                checkSame("RabbitMQ", delivery, amqp);
                checkSame("Kafka", delivery, kafka);
            } else {
                orRefused(() -> KafkaForm.sent(delivery, mode));
            }
            if (http != null) {
                http.forEach(Forms::checkHttpHeader);
            }
        }
    }

    private static void checkSame(String transport, Delivery sent, @Nullable ReceivedMessage received) {
        if (received == null) {
            return;
        }
        requireEqual(transport, "id", sent.id().toString(), received.id());
        requireEqual(transport, "type", sent.type(), received.type());
        requireEqual(transport, "tenant", sent.stream().tenant(), received.tenant());
        sent.headers().forEach((name, value) -> {
            String back = received.headers().get(name);
            // Each leaves out what the event says itself.
            if (back != null) {
                requireEqual(transport, "header " + name, value, back);
            }
        });
    }

    private static void requireEqual(String transport, String what, @Nullable Object sent, @Nullable Object received) {
        if (!Objects.equals(sent, received)) {
            throw new AssertionError(
                    transport + " makes another " + what + ": '" + sent + "' became '" + received + "'");
        }
    }

    private static void checkHttpHeader(String name, String value) {
        if (!name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+") || value.matches("(?s).*[\\r\\n\\x00].*")) {
            throw new AssertionError("this is no header of HTTP: '" + name + "': '" + value + "'");
        }
    }

    /** Null where it was refused, which must be for good: nothing would be different the next time. */
    public static <T> @Nullable T orRefused(Supplier<T> made) {
        try {
            return made.get();
        } catch (DeliveryFailedException e) {
            if (!e.reason().isPermanent()) {
                throw new AssertionError("it would be tried again and again", e);
            }
            return null;
        }
    }
}
