package dev.postroom.server.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Finds out what a payload is, so that its consumers are told. */
final class MediaType {
    private MediaType() {}

    static String of(byte[] payload) {
        if (!isText(payload)) {
            return "application/octet-stream";
        }
        return isJson(payload) ? "application/json" : "text/plain; charset=utf-8";
    }

    private static boolean isText(byte[] payload) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(payload));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    /** Exactly one JSON value from the first byte to the last. */
    private static boolean isJson(byte[] payload) {
        try (JsonParser parser = new JsonFactory().createParser(payload)) {
            JsonToken first = parser.nextToken();
            parser.skipChildren();
            return first != null && parser.nextToken() == null;
        } catch (IOException e) {
            return false;
        }
    }
}
