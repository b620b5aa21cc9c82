package dev.postroom.testkit.contract;

import dev.postroom.Stream;
import dev.postroom.spi.Content;
import dev.postroom.spi.Delivery;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** A message to try a transport with. Immutable; each {@link #build} is another message. */
public record SampleDelivery(Stream stream, Content content, Duration deadline) {
    private static final AtomicLong SEQ = new AtomicLong();
    private static final Instant CREATED_AT = Instant.parse("2026-02-03T04:05:06.789Z");

    /** A small text to this topic, with a minute to be sent in. */
    public static SampleDelivery to(String topic) {
        Content content = new Content(
                "SampleSent", "text/plain", null, Map.of(), "sample".getBytes(StandardCharsets.UTF_8), "/contract");
        return new SampleDelivery(new Stream("", topic, null), content, Duration.ofMinutes(1));
    }

    public SampleDelivery key(@Nullable String key) {
        return new SampleDelivery(new Stream(stream.tenant(), stream.topic(), key), content, deadline);
    }

    public SampleDelivery tenant(String tenant) {
        return new SampleDelivery(new Stream(tenant, stream.topic(), stream.key()), content, deadline);
    }

    public SampleDelivery type(@Nullable String type) {
        return content(content.headers(), type, content.payload());
    }

    public SampleDelivery headers(Map<String, String> headers) {
        return content(headers, content.type(), content.payload());
    }

    public SampleDelivery payload(byte[] payload) {
        return content(content.headers(), content.type(), payload);
    }

    /** A JSON object with a text of this length, as {@code {"note":"…"}}. */
    public SampleDelivery json(int length) {
        byte[] json = ("{\"note\":\"" + "all work ".repeat(length / 9 + 1).substring(0, length) + "\"}")
                .getBytes(StandardCharsets.UTF_8);
        return content(
                new Content(content.type(), "application/json", null, content.headers(), json, content.source()));
    }

    /** As the outbox would store it, if it is large. */
    public SampleDelivery compressed() {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(Objects.requireNonNull(content.payload()));
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory cannot fail", e);
        }
        return content(new Content(
                content.type(),
                content.contentType(),
                "gzip",
                content.headers(),
                compressed.toByteArray(),
                content.source()));
    }

    private SampleDelivery content(Map<String, String> headers, @Nullable String type, byte @Nullable [] payload) {
        return content(new Content(
                type, content.contentType(), content.contentEncoding(), headers, payload, content.source()));
    }

    public SampleDelivery content(Content newContent) {
        return new SampleDelivery(stream, newContent, deadline);
    }

    /** How long from {@link #build} on it may be put on the wire; negative when that time is over. */
    public SampleDelivery deadline(Duration newDeadline) {
        return new SampleDelivery(stream, content, newDeadline);
    }

    public Delivery build() {
        UUID id = UUID.randomUUID();
        return new Delivery(
                id, SEQ.incrementAndGet(), stream, content, CREATED_AT, 1, System.nanoTime() + deadline.toNanos());
    }
}
