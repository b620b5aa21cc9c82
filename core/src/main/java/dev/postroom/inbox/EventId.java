package dev.postroom.inbox;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/**
 * What a consumer remembers an event by. CloudEvents are told apart by source and id together: a sender that counts its
 * events from 1 must not make those of another sender look like repetitions, which nobody would notice. Postroom's own ids
 * are drawn at random and stand for themselves, so that they are found as they are.
 */
final class EventId {
    private static final String POSTROOM = "/postroom";
    private static final int SOURCE_BYTES = 12;

    private EventId() {}

    static String of(ReceivedMessage message) {
        String source = message.source();
        if (source == null || source.equals(POSTROOM) || message.id().isEmpty()) {
            return message.id();
        }
        return message.id() + " " + brief(source);
    }

    /** Sources may be long, and the key of the inbox's table has a limit. */
    private static String brief(String source) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(source.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, SOURCE_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
