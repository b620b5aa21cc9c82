package dev.postroom.admin.view;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * Views as JSON, with a mapper of its own: names and shapes are a contract, and must not depend on what the application
 * around it has set up for itself. Times are in ISO form, nulls are written.
 */
public final class ViewJson {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .addModule(new SimpleModule().addSerializer(Instant.class, ToStringSerializer.instance))
            .build();

    private ViewJson() {}

    /** By way of text: written as bytes at once, half a character of a foreign writer's would fail the whole answer. */
    public static byte[] bytes(Object view) {
        try {
            return MAPPER.writeValueAsString(view).getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("views are plain records and can always be written", e);
        }
    }

    /** Indented, for people. */
    public static String text(Object view) {
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(view);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("views are plain records and can always be written", e);
        }
    }

    /** On one line, as it was told. */
    public static String line(JsonNode node) {
        return node.isTextual() ? node.asText() : node.toString();
    }

    /** What a JSON text says; the text itself as a JSON string when it is broken. */
    public static JsonNode parsed(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            return MAPPER.getNodeFactory().textNode(text);
        }
    }
}
