package dev.postroom.handler;

import dev.postroom.FailureReason;
import dev.postroom.spi.Content;
import dev.postroom.spi.Delivery;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Undoes what the outbox did to a large payload. */
public final class PlainPayload {
    /** Above what any outbox may be configured to write; a foreign writer's few bytes must not become all our memory. */
    private static final int MOST = 64 << 20;

    private PlainPayload() {}

    /**
     * The same delivery with its payload as it was before compression.
     *
     * @throws DeliveryFailedException with a permanent reason, when it cannot be undone
     */
    public static Delivery of(Delivery delivery) {
        Content content = delivery.content();
        String encoding = content.contentEncoding();
        if (encoding == null) {
            return delivery;
        }
        Content plain = new Content(
                content.type(),
                content.contentType(),
                null,
                content.headers(),
                of(encoding, delivery.payload()),
                content.source());
        return new Delivery(
                delivery.id(),
                delivery.seq(),
                delivery.stream(),
                plain,
                delivery.createdAt(),
                delivery.attempt(),
                delivery.deadlineNanos());
    }

    /**
     * A payload as it was before it was encoded so; null for not at all.
     *
     * @throws DeliveryFailedException with a permanent reason, when it cannot be undone
     */
    public static byte[] of(@Nullable String encoding, byte[] payload) {
        if (encoding == null) {
            return payload;
        }
        if (!encoding.equals("gzip")) {
            throw new DeliveryFailedException(
                    FailureReason.SERIALIZATION, "the payload is encoded as '" + encoding + "', expected gzip");
        }
        return decompress(payload);
    }

    private static byte[] decompress(byte[] payload) {
        try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(payload))) {
            byte[] plain = gzip.readNBytes(MOST);
            if (gzip.read() >= 0) {
                throw new DeliveryFailedException(
                        FailureReason.SERIALIZATION, "the payload has more than " + MOST + " bytes when decompressed");
            }
            return plain;
        } catch (IOException e) {
            throw new DeliveryFailedException(
                    FailureReason.SERIALIZATION, "the payload cannot be decompressed: " + e.getMessage(), e);
        }
    }
}
