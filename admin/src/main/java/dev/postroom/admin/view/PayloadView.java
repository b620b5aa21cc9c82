package dev.postroom.admin.view;

import dev.postroom.operations.MessageDetail;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A payload as it can be shown.
 *
 * @param content a string when the bytes are UTF-8 text, else a {@link Base64}
 * @param isWhole whether nothing was cut off
 */
record PayloadView(Object content, boolean isWhole) {

    /** Bytes that are no text. */
    public record Base64(String base64) {}

    /** Up to so many bytes of it, unpacked: a small payload may unpack to gigabytes, and no more of it is unpacked either. */
    static PayloadView of(MessageDetail detail, int most) {
        boolean stored = detail.payload().length == detail.payloadBytes();
        if (detail.contentEncoding() == null) {
            return upTo(most, detail.payload(), stored);
        }
        byte[] unpacked = stored && detail.contentEncoding().equals("gzip") ? unpack(detail.payload(), most) : null;
        if (unpacked == null) {
            return new PayloadView(base64(detail.payload()), stored);
        }
        return upTo(most, unpacked, true);
    }

    private static PayloadView upTo(int most, byte[] bytes, boolean whole) {
        return bytes.length > most ? plain(Arrays.copyOf(bytes, most), false) : plain(bytes, whole);
    }

    private static byte @Nullable [] unpack(byte[] packed, int most) {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            return in.readNBytes(most + 1);
        } catch (IOException e) {
            return null;
        }
    }

    private static PayloadView plain(byte[] bytes, boolean whole) {
        String text = text(bytes, whole);
        return new PayloadView(text == null ? base64(bytes) : text, whole);
    }

    /** Null when it is not UTF-8. Where it was cut off, up to three bytes of a broken last character do not count. */
    private static @Nullable String text(byte[] bytes, boolean whole) {
        int shortest = whole ? bytes.length : Math.max(0, bytes.length - 3);
        for (int length = bytes.length; length >= shortest; length--) {
            try {
                return StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes, 0, length))
                        .toString();
            } catch (CharacterCodingException e) {
                // one byte less, or no text at all
            }
        }
        return null;
    }

    private static Base64 base64(byte[] bytes) {
        return new Base64(java.util.Base64.getEncoder().encodeToString(bytes));
    }
}
