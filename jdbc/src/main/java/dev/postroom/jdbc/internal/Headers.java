package dev.postroom.jdbc.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Headers are stored as a JSON object of strings. Other languages write them too, so reading expects anything. */
public final class Headers {
    private static final JsonFactory JSON = new JsonFactory();

    private Headers() {}

    /**
     * What was read.
     *
     * @param defect why it is no object of strings, or null
     */
    public record Parsed(
            Map<String, String> headers, @Nullable String defect) {
        static final Parsed NONE = new Parsed(Map.of(), null);
    }

    /** The stored form; null when there are none. */
    public static @Nullable String write(Map<String, String> headers) {
        if (headers.isEmpty()) {
            return null;
        }
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            for (Map.Entry<String, String> header : headers.entrySet()) {
                json.writeStringField(header.getKey(), header.getValue());
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory cannot fail", e);
        }
        return text.toString();
    }

    /** Numbers and booleans are taken as their text, null as absent; anything nested is a defect. */
    public static Parsed read(@Nullable String stored) {
        if (stored == null || stored.isEmpty()) {
            return Parsed.NONE;
        }
        Map<String, String> headers = new LinkedHashMap<>();
        try (JsonParser json = JSON.createParser(stored)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return broken("it is no JSON object");
            }
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String name = json.currentName();
                JsonToken value = json.nextToken();
                if (value == null || value.isStructStart()) {
                    return broken("the value of '" + name + "' is no string");
                }
                if (value != JsonToken.VALUE_NULL) {
                    headers.put(name, json.getText());
                }
            }
            return new Parsed(headers, null);
        } catch (IOException e) {
            return broken(
                    e instanceof com.fasterxml.jackson.core.JsonProcessingException parsing
                            ? parsing.getOriginalMessage()
                            : e.toString());
        }
    }

    private static Parsed broken(String why) {
        return new Parsed(
                Map.of(),
                "the column headers must hold a JSON object of strings, but " + why
                        + ": correct the row's headers, then retry it");
    }
}
