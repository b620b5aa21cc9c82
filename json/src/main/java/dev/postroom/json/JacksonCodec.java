package dev.postroom.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.postroom.PostroomException;
import dev.postroom.spi.PayloadCodec;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Objects as JSON, by Jackson. Found by an outbox when this module is on the class path; give your own
 * {@link ObjectMapper} to decide how your classes are written. Thread-safe.
 *
 * <p>The class to decode into is the one the caller names. A mapper with default typing is refused: with that, a payload
 * chooses classes.
 */
public final class JacksonCodec implements PayloadCodec {
    private final ObjectMapper mapper;

    /** Dates as ISO text, and properties that the class does not know are let pass: a newer writer may add some. */
    public JacksonCodec() {
        this(JsonMapper.builder()
                .addModule(new JavaTimeModule())
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build());
    }

    /** As the mapper writes and reads; it is not copied, so configure it before. */
    public JacksonCodec(ObjectMapper mapper) {
        this.mapper = Objects.requireNonNull(mapper, "mapper");
        if (mapper.getDeserializationConfig().getDefaultTyper(mapper.constructType(Object.class)) != null) {
            throw new PostroomException("this ObjectMapper has default typing, with which a payload chooses the classes"
                    + " to instantiate: give Postroom a mapper without it");
        }
    }

    @Override
    public String contentType() {
        return "application/json";
    }

    @Override
    public byte[] encode(Object value) {
        try {
            return mapper.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new PostroomException(
                    "cannot write " + value.getClass().getName() + " as JSON: " + e.getOriginalMessage()
                            + ". Register a Jackson module for it, or send bytes",
                    e);
        }
    }

    @Override
    public <T> T decode(byte[] payload, Class<T> type) {
        T value = read(payload, type);
        if (value == null) {
            throw new PostroomException("the payload is the JSON null, not a " + type.getName());
        }
        return value;
    }

    private <T> T read(byte[] payload, Class<T> type) {
        try {
            return mapper.readValue(payload, type);
        } catch (JsonProcessingException e) {
            throw new PostroomException("the payload is not JSON for " + type.getName() + ": " + trouble(e), e);
        } catch (IOException e) {
            throw new PostroomException("the payload could not be read as " + type.getName(), e);
        }
    }

    /** What and where. Jackson's own words quote the payload, and errors are kept, logged and sent to dead letters. */
    private static String trouble(JsonProcessingException e) {
        String what = e instanceof JsonMappingException mapping ? path(mapping.getPath()) : "";
        String as = e instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null
                ? " as " + mismatch.getTargetType().getTypeName()
                : "";
        JsonLocation at = e.getLocation();
        return (what.isEmpty() ? "it" : what) + " cannot be read" + as
                + (at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")");
    }

    /** {@code lines[0].price}; keys of maps are data. */
    private static String path(List<JsonMappingException.Reference> references) {
        StringBuilder path = new StringBuilder();
        for (JsonMappingException.Reference reference : references) {
            if (reference.getFrom() instanceof Map) {
                path.append("[*]");
            } else if (reference.getFieldName() == null) {
                path.append('[').append(reference.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(reference.getFieldName());
            }
        }
        return path.toString();
    }
}
