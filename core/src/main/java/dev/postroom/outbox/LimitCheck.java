package dev.postroom.outbox;

import dev.postroom.MessageRejectedException;
import dev.postroom.spi.Content;
import dev.postroom.spi.NewMessage;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Refuses what a limit or the table would not take, naming the limit, the value and the setting. */
final class LimitCheck {
    private static final int TENANT_LENGTH = 128;
    private static final int NAME_LENGTH = 255;

    private final Limits limits;
    private final AttributeCheck attributes = new AttributeCheck();

    LimitCheck(Limits limits) {
        this.limits = limits;
    }

    void check(NewMessage message) {
        String topic = message.stream().topic();
        text("topic", topic, 1, limits.topicLength(), "postroom.limits.topic-length");
        text("tenant", message.stream().tenant(), 0, TENANT_LENGTH, null);
        text("key", message.stream().key(), 0, limits.keyLength(), "postroom.limits.key-length");
        NewMessage.Dedup dedup = message.dedup();
        text("idempotency key", dedup == null ? null : dedup.key(), 1, NAME_LENGTH, null);
        content(message.content(), topic);
    }

    private void content(Content content, String topic) {
        text("type", content.type(), 1, NAME_LENGTH, null);
        text("content type", content.contentType(), 1, NAME_LENGTH, null);
        text("source", content.source(), 1, NAME_LENGTH, null);
        attributes.check(content);
        headers(content.headers(), topic);
    }

    /** Before it is compressed: that is what goes out, and what receivers have to take. */
    void payload(byte[] payload, String topic) {
        if (payload.length > limits.payloadBytes()) {
            throw new MessageRejectedException("payload of a message to '" + topic + "' has " + payload.length
                    + " bytes, the limit is " + limits.payloadBytes()
                    + ": send a reference to the data instead, or raise postroom.limits.payload-bytes");
        }
    }

    void headers(Map<String, String> headers, String topic) {
        if (headers.size() > limits.headers()) {
            throw new MessageRejectedException("a message to '" + topic + "' has " + headers.size()
                    + " headers, the limit is " + limits.headers() + ": send fewer, or raise postroom.limits.headers");
        }
        long bytes = 0;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            text("header name", header.getKey(), 1, NAME_LENGTH, null);
            noIllegalCharacters("header '" + header.getKey() + "'", header.getValue());
            bytes += utf8Length(header.getKey()) + utf8Length(header.getValue());
        }
        if (bytes > limits.headerBytes()) {
            throw new MessageRejectedException("the headers of a message to '" + topic + "' have " + bytes
                    + " bytes, the limit is " + limits.headerBytes()
                    + ": send less, or raise postroom.limits.header-bytes");
        }
    }

    private static int utf8Length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static void text(String what, @Nullable String value, int least, int most, @Nullable String setting) {
        if (value == null) {
            return;
        }
        int length = value.codePointCount(0, value.length());
        if (length < least) {
            throw new MessageRejectedException("the " + what + " is empty: give at least " + least + " character");
        }
        if (length > most) {
            throw new MessageRejectedException("the " + what + " '" + value.substring(0, 32) + "…' has " + length
                    + " characters, the limit is " + most + ": shorten it"
                    + (setting == null ? "" : ", or raise " + setting));
        }
        noIllegalCharacters(what, value);
    }

    /** Control characters would forge headers and log lines; half a surrogate pair cannot be stored as UTF-8. */
    private static void noIllegalCharacters(String what, String value) {
        value.codePoints().forEach(character -> {
            int type = Character.getType(character);
            if (Character.isISOControl(character) || type == Character.SURROGATE) {
                throw new MessageRejectedException("the " + what + " contains the illegal character U+"
                        + String.format("%04X", character)
                        + ": control characters and unpaired surrogates cannot be sent, remove them");
            }
        });
    }
}
