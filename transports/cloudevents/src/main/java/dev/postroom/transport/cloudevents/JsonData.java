package dev.postroom.transport.cloudevents;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds out whether a payload can stand inside a JSON document as it is. */
final class JsonData {
    private static final JsonFactory JSON = new JsonFactory();

    private JsonData() {}

    /** The payload as text, when it says that it is JSON and is exactly one JSON value; else null. */
    static @Nullable String documentIn(String contentType, byte[] payload) {
        if (!isJson(contentType)) {
            return null;
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(payload))
                    .toString();
            return isOneValue(text) ? text : null;
        } catch (CharacterCodingException notUtf8) {
            return null;
        }
    }

    private static boolean isJson(String contentType) {
        int end = contentType.indexOf(';');
        String mediaType =
                (end < 0 ? contentType : contentType.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        return mediaType.endsWith("/json") || mediaType.endsWith("+json");
    }

    private static boolean isOneValue(String text) {
        try (JsonParser parser = JSON.createParser(text)) {
            if (parser.nextToken() == null) {
                return false;
            }
            parser.skipChildren(); // checks what it skips, and stops at a nesting that readers would refuse too
            return parser.nextToken() == null;
        } catch (JsonProcessingException notJson) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException("reading from memory cannot fail", e);
        }
    }
}
