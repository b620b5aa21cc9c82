package dev.postroom.fuzz.wire;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.postroom.FailureReason;
import dev.postroom.PostroomException;
import dev.postroom.Stream;
import dev.postroom.handler.DeliveryFailedException;
import dev.postroom.http.WebhookForm;
import dev.postroom.inbox.Inbox;
import dev.postroom.inbox.ReceivedMessage;
import dev.postroom.inbox.Reception;
import dev.postroom.inbox.Verdict;
import dev.postroom.jdbc.internal.Headers;
import dev.postroom.kafka.KafkaForm;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.rabbitmq.AmqpForm;
import dev.postroom.spi.Content;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import dev.postroom.transport.cloudevents.ContentMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Whatever a broker hands over is handled once or refused for good, never again and again: a queue whose first message is always
 * "not now" stands still. Whatever goes out is legal and comes back as it was.
 */
public final class WireFuzz {
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(15);

    private WireFuzz() {}

    public static void tryInput(byte[] input) {
        WireText text = WireText.of(input);
        receive(() -> AmqpForm.received(AmqpForm.of(properties(text), text.payload())));
        receive(() -> KafkaForm.received(record(text)));
        String secret = text.field("secret");
        if (secret == null || isSecret(text, secret)) {
            Forms.check(delivery(text), secret);
        }
        Duration wait = WebhookForm.retryAfter(text.field("retry-after", ""), Instant.ofEpochSecond(1_800_000_000));
        if (wait != null && (wait.isNegative() || wait.compareTo(LONGEST_WAIT) > 0)) {
            throw new AssertionError("a receiver makes us wait for " + wait);
        }
    }

    private static void receive(Supplier<ReceivedMessage> read) {
        try {
            Verdict verdict = Started.RECEPTION.receive(read.get());
            if (!(verdict instanceof Verdict.Done) && !(verdict instanceof Verdict.Dead)) {
                throw new AssertionError("it would come again and again: " + verdict);
            }
        } catch (DeliveryFailedException e) {
            Verdict verdict = Started.RECEPTION.refused(e.reason(), String.valueOf(e.getMessage()));
            if (!e.reason().isPermanent() || e.reason() == FailureReason.POISON) {
                throw new AssertionError("it would come again and again: " + verdict, e);
            }
        }
    }

    private static boolean isSecret(WireText text, String secret) {
        try {
            Forms.orRefused(() -> WebhookForm.headers(delivery(text), ContentMode.BINARY, secret, Instant.EPOCH));
            return true;
        } catch (PostroomException e) {
            if (String.valueOf(e.getMessage()).contains(secret) && secret.length() > 12) {
                throw new AssertionError("the error tells the secret", e);
            }
            return false;
        }
    }

    private static BasicProperties properties(WireText text) {
        Map<String, Object> headers = new HashMap<>();
        text.headers().forEach((name, value) -> headers.put(name, amqpValue(value)));
        return new BasicProperties.Builder()
                .messageId(text.field("message-id"))
                .type(text.field("type"))
                .contentType(text.field("content-type"))
                .contentEncoding(text.field("content-encoding"))
                .headers(headers)
                .build();
    }

    /** Other senders send other types. */
    private static Object amqpValue(String value) {
        if (value.matches("-?[0-9]{1,18}")) {
            return Long.parseLong(value);
        }
        return value.startsWith("{") ? Map.of("nested", value) : value;
    }

    private static ConsumerRecord<byte[], byte[]> record(WireText text) {
        String key = text.field("key");
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>(
                "topic", 0, 0, key == null ? null : key.getBytes(StandardCharsets.UTF_8), text.payload());
        text.headers().forEach((name, value) -> record.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        if (text.field("content-encoding") != null) {
            record.headers()
                    .add("content-encoding", text.field("content-encoding", "").getBytes(StandardCharsets.UTF_8));
        }
        return record;
    }

    private static Delivery delivery(WireText text) {
        return new Delivery(
                UUID.nameUUIDFromBytes(text.payload()),
                1,
                new Stream(text.field("tenant", ""), text.field("topic", "topic"), text.field("key")),
                new Content(
                        text.field("type"),
                        text.field("content-type", "application/json"),
                        text.field("content-encoding"),
                        sendable(text.headers()),
                        text.payload(),
                        text.field("source")),
                Instant.ofEpochSecond(1_800_000_000, 123_456_000),
                1,
                Long.MAX_VALUE);
    }

    /** Others are a defect of their row, and no transport ever sees them. */
    private static Map<String, String> sendable(Map<String, String> headers) {
        Headers.Parsed parsed = Headers.read(Headers.write(headers), 0, RowLimits.ofPayload(1));
        return parsed.headers();
    }

    /** When the first input is tried. */
    private static final class Started {
        static final Reception RECEPTION = start();

        private static Reception start() {
            DataSource dataSource = H2.freshDatabase().dataSource();
            Store.open(dataSource, TableNames.DEFAULT).schema().migrate();
            return new Reception(Inbox.on(dataSource), "fuzz", RetryPolicy.DEFAULT, (message, tx) -> {});
        }
    }
}
