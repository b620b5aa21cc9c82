package dev.postroom.server.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.PrintWriter;
import java.time.Instant;

/** Prints one JSON document, indented, with times in ISO form. */
public final class Json {
    private Json() {}

    public static void print(PrintWriter out, Object document) {
        ObjectMapper mapper = JsonMapper.builder()
                .addModule(new SimpleModule().addSerializer(Instant.class, ToStringSerializer.instance))
                .enable(SerializationFeature.INDENT_OUTPUT)
                .build();
        try {
            out.println(mapper.writeValueAsString(document));
            out.flush();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("views are plain records and can always be written", e);
        }
    }

    /** What a JSON text says, to become part of a document; the text itself when it is broken. */
    public static Object parsed(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (JsonProcessingException e) {
            return text;
        }
    }
}
