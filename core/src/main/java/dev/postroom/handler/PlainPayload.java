package dev.postroom.handler;

import dev.postroom.FailureReason;
import dev.postroom.spi.Content;
import dev.postroom.spi.Delivery;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
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
        try {
            byte[] plain = new byte[length(payload)];
            try (InputStream gzip = new GZIPInputStream(new ByteArrayInputStream(payload))) {
                gzip.readNBytes(plain, 0, plain.length);
            }
            return plain;
        } catch (IOException e) {
            throw new DeliveryFailedException(
                    FailureReason.SERIALIZATION, "the payload cannot be decompressed as gzip: " + e, e);
        }
    }

    /** Decompresses it without keeping anything, so that what turns out to be too large has cost time and no memory. */
    private static int length(byte[] payload) throws IOException {
        try (InputStream gzip = new GZIPInputStream(new ByteArrayInputStream(payload))) {
            byte[] part = new byte[8_192];
            int length = 0;
            for (int read = gzip.read(part); read >= 0; read = gzip.read(part)) {
                length += read;
                if (length > MOST) {
                    throw new DeliveryFailedException(
                            FailureReason.SERIALIZATION,
                            "the payload has more than " + MOST + " bytes when decompressed: send less");
                }
            }
            return length;
        }
    }
}
