package com.example.clients;

import dev.postroom.Message;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One of the messages that every client gets, and what it should report of it. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record SampleMessage(String label, String contentType, byte[] payload) {
    private static final int LARGE = 40 << 10; // the outbox compresses it

    static List<SampleMessage> all() {
        byte[] everyByte = new byte[256];
        for (int i = 0; i < everyByte.length; i++) {
            everyByte[i] = (byte) i;
        }
        return List.of(
                text("small", "application/json", "{\"order\":\"42\",\"note\":\"größer ✓\"}"),
                text("large", "application/json", "{\"note\":\"" + "größer ✓ ".repeat(LARGE / 13) + "\"}"),
                text("empty", "application/json", ""),
                text("bare", "text/plain", "größer ✓"),
                new SampleMessage("bytes", "application/octet-stream", everyByte));
    }

    private static SampleMessage text(String label, String contentType, String text) {
        return new SampleMessage(label, contentType, text.getBytes(StandardCharsets.UTF_8));
    }

    boolean isText() {
        return !label.equals("bytes");
    }

    private boolean isBare() {
        return label.equals("bare");
    }

    Message to(String topic) {
        Message message = Message.to(topic).bytes(contentType, payload);
        return isBare()
                ? message
                : message.type("order.placed").key("Zoë 100%").tenant("acme").header("x-note", "grün ✓");
    }

    /** What a client that reads everything reports, apart from the time. */
    Map<String, String> expected(String topic, String id) {
        Map<String, String> fields = new TreeMap<>();
        fields.put("id", id);
        fields.put("contentType", contentType);
        fields.put("payload", Base64.getEncoder().encodeToString(payload));
        fields.put("type", isBare() ? topic : "order.placed");
        if (!isBare()) {
            fields.put("key", "Zoë 100%");
            fields.put("tenant", "acme");
            fields.put("note", "grün ✓");
        }
        return fields;
    }
}
