package dev.postroom.outbox;

import dev.postroom.Message;
import dev.postroom.MessageRejectedException;
import dev.postroom.Payload;
import dev.postroom.internal.TimeOrderedIds;
import dev.postroom.spi.Content;
import dev.postroom.spi.NewMessage;
import dev.postroom.spi.PayloadCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** Turns a user's message into what the store writes: encoded, compressed when large, checked. Thread-safe. */
final class MessageEncoder {
    private final OutboxSettings settings;
    private final LimitCheck limits;
    private final TraceHeaders trace;

    MessageEncoder(OutboxSettings settings) {
        this.settings = settings;
        this.limits = new LimitCheck(settings.limits());
        this.trace = new TraceHeaders(settings.tracing(), limits);
    }

    NewMessage encode(Message message) {
        UUID given = message.id();
        Message identified = given == null ? message.id(TimeOrderedIds.next()) : message;
        return encode(identified, given == null ? null : settings.dedupWindow());
    }

    private NewMessage encode(Message message, @Nullable Duration idWindow) {
        Payload.Bytes plain = encodePayload(message);
        limits.payload(plain.bytes(), message.stream().topic());
        byte[] compressed = compress(plain.bytes());
        Content content = new Content(
                typeOf(message),
                plain.contentType(),
                compressed == null ? null : "gzip",
                message.headers(),
                compressed == null ? plain.bytes() : compressed,
                message.source() == null ? settings.source() : message.source());
        NewMessage encoded = new NewMessage(
                Objects.requireNonNull(message.id()),
                idWindow,
                message.stream(),
                content,
                message.deliveryTime(),
                dedup(message));
        limits.check(encoded);
        return trace.in(message, encoded);
    }

    private @Nullable String typeOf(Message message) {
        return message.type() == null && message.payload() instanceof Payload.Encodable object
                ? settings.types().nameOf(object.value().getClass())
                : message.type();
    }

    private NewMessage.@Nullable Dedup dedup(Message message) {
        String key = message.idempotencyKey();
        return key == null ? null : new NewMessage.Dedup(key, settings.dedupWindow());
    }

    private Payload.Bytes encodePayload(Message message) {
        if (message.payload() instanceof Payload.Bytes bytes) {
            return bytes;
        }
        PayloadCodec codec = settings.codec();
        if (codec == null) {
            throw new MessageRejectedException("cannot encode the payload of " + message
                    + ": there is no codec. Add postroom-json or postroom-json3 to the class path, give one with Outbox.Builder.codec,"
                    + " or send bytes");
        }
        try {
            Object value = ((Payload.Encodable) message.payload()).value();
            return new Payload.Bytes(codec.contentType(), codec.encode(value));
        } catch (RuntimeException e) {
            throw new MessageRejectedException("cannot encode the payload of " + message + ": " + e.getMessage(), e);
        }
    }

    /** Null when compression is off, not worth its while, or made the payload larger. */
    private byte @Nullable [] compress(byte[] payload) {
        if (payload.length < settings.compressionThreshold()) {
            return null;
        }
        ByteArrayOutputStream buffer = new ByteArrayOutputStream(payload.length / 2);
        try (GZIPOutputStream gzip = new GZIPOutputStream(buffer)) {
            gzip.write(payload);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory cannot fail", e);
        }
        return buffer.size() < payload.length ? buffer.toByteArray() : null;
    }
}
