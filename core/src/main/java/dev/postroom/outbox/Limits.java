package dev.postroom.outbox;

import dev.postroom.PostroomException;

/**
 * What a message may be at most; checked when it is published. Immutable.
 *
 * @param payloadBytes payload before compression, as receivers get it
 * @param headers how many headers
 * @param headerBytes all names and values together, as UTF-8
 * @param topicLength characters; at most 255, which the table allows
 * @param keyLength characters; at most 512, which the table allows
 */
public record Limits(int payloadBytes, int headers, int headerBytes, int topicLength, int keyLength) {
    public static final Limits DEFAULT = new Limits(1_048_576, 64, 16_384, 255, 255);

    public Limits {
        check("payload-bytes", payloadBytes, 64 * 1_048_576);
        check("headers", headers, 1_000);
        check("header-bytes", headerBytes, 1_048_576);
        check("topic-length", topicLength, 255);
        check("key-length", keyLength, 512);
    }

    private static void check(String name, int value, int most) {
        if (value < 1 || value > most) {
            throw new PostroomException("postroom.limits." + name + " must be between 1 and " + most + " (was " + value
                    + "): change that setting");
        }
    }

    public Limits payloadBytes(int value) {
        return new Limits(value, headers, headerBytes, topicLength, keyLength);
    }

    public Limits headers(int count, int bytes) {
        return new Limits(payloadBytes, count, bytes, topicLength, keyLength);
    }

    public Limits topicLength(int value) {
        return new Limits(payloadBytes, headers, headerBytes, value, keyLength);
    }

    public Limits keyLength(int value) {
        return new Limits(payloadBytes, headers, headerBytes, topicLength, value);
    }
}
