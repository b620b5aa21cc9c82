package dev.postroom.admin.redact;

import dev.postroom.operations.MessageDetail;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** A payload as text, if all of it is there and is text. Pure. */
public final class PlainText {
    /**
     * More is not searched: a small payload may unpack to gigabytes. It is in memory about six times while it is searched (bytes, text, its
     * characters, what is shown), for each request at that moment.
     */
    private static final int MOST_BYTES = 1024 * 1024;

    private PlainText() {}

    /** Null when it was cut off, is packed in a way that is not known, too large, or not UTF-8. */
    public static @Nullable String of(MessageDetail message) {
        if (message.payload().length != message.payloadBytes()) {
            return null;
        }
        byte[] bytes = message.contentEncoding() == null
                ? message.payload()
                : message.contentEncoding().equals("gzip") ? unpacked(message.payload()) : null;
        return bytes == null || bytes.length > MOST_BYTES ? null : decoded(bytes);
    }

    private static byte @Nullable [] unpacked(byte[] packed) {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            return in.readNBytes(MOST_BYTES + 1);
        } catch (IOException e) {
            return null;
        }
    }

    private static @Nullable String decoded(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
