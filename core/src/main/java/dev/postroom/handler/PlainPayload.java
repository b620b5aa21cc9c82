package dev.postroom.handler;

import dev.postroom.FailureReason;
import dev.postroom.spi.Content;
import dev.postroom.spi.Delivery;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Undoes what the outbox did to a large payload. */
public final class PlainPayload {
    /** Above what any outbox may be configured to write; a foreign writer's few bytes must not become all our memory. */
    private static final int MOST = 64 << 20;

    /** Deflate makes no byte more than so many. */
    private static final long BEST_RATIO = 1_032;

    /** JSON is packed to a tenth or so. */
    private static final long USUAL_RATIO = 12;

    private static final int TRAILER = Integer.BYTES;

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
        return delivery.content(content.payload(null, of(encoding, delivery.payload())));
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
        requireGzip(encoding);
        try {
            byte[] plain = decompress(payload, promised(payload));
            return plain == null ? Objects.requireNonNull(decompress(payload, measured(payload))) : plain;
        } catch (IOException e) {
            throw corrupt(e);
        }
    }

    /**
     * How many bytes the payload has before it was encoded so, at the price of decompressing it once.
     *
     * @throws DeliveryFailedException with a permanent reason, when it cannot be undone
     */
    public static int length(@Nullable String encoding, byte[] payload) {
        if (encoding == null) {
            return payload.length;
        }
        requireGzip(encoding);
        try {
            return measured(payload);
        } catch (IOException e) {
            throw corrupt(e);
        }
    }

    private static void requireGzip(String encoding) {
        if (!encoding.equals("gzip")) {
            throw new DeliveryFailedException(
                    FailureReason.SERIALIZATION, "the payload is encoded as '" + encoding + "', expected gzip");
        }
    }

    private static DeliveryFailedException corrupt(IOException e) {
        return new DeliveryFailedException(
                FailureReason.SERIALIZATION, "the payload cannot be decompressed as gzip: " + e, e);
    }

    /** Null when it does not have this length. */
    private static byte @Nullable [] decompress(byte[] payload, int length) throws IOException {
        if (length < 0) {
            return null;
        }
        // Grows with what comes: the length may be a lie, which must not cost more than the truth.
        byte[] plain = new byte[(int) Math.min(length, payload.length * USUAL_RATIO)];
        try (InputStream gzip = new GZIPInputStream(new ByteArrayInputStream(payload))) {
            int read = gzip.readNBytes(plain, 0, plain.length);
            while (read == plain.length && read < length) {
                plain = Arrays.copyOf(plain, (int) Math.min(length, 2L * read));
                read += gzip.readNBytes(plain, read, plain.length - read);
            }
            return read == length && gzip.read() < 0 ? plain : null;
        }
    }

    /**
     * The length that the last four bytes tell, which spares decompressing twice; -1 when it is no more than a rumour. A
     * payload of several parts tells that of its last part, and somebody else's payload tells anything.
     */
    private static int promised(byte[] payload) {
        if (payload.length < TRAILER) {
            return -1;
        }
        int length = ByteBuffer.wrap(payload, payload.length - TRAILER, TRAILER)
                .order(ByteOrder.LITTLE_ENDIAN)
                .getInt();
        return length <= MOST && length <= payload.length * BEST_RATIO ? length : -1;
    }

    /** Decompresses it without keeping anything, so that what turns out to be too large has cost time and no memory. */
    private static int measured(byte[] payload) throws IOException {
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
