package dev.postroom.json3;

import dev.postroom.PostroomException;
import dev.postroom.spi.PayloadCodec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Objects as JSON, by Jackson 3. Found by an outbox when this module is on the class path; give your own
 * {@link ObjectMapper} to decide how your classes are written. What it writes by default is what the codec of
 * {@code postroom-json} writes, so that one can follow the other while messages wait. Thread-safe.
 *
 * <p>The class to decode into is the one the caller names. A mapper with default typing is refused: with that, a payload
 * chooses classes.
 */
public final class Jackson3Codec implements PayloadCodec {
    private final ObjectMapper mapper;

    /**
     * Dates as ISO text, properties in the order of the class, and those that the class does not know are let pass: a newer
     * writer may add some.
     */
    public Jackson3Codec() {
        this(JsonMapper.builder()
                .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .enable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                .build());
    }

    /** As the mapper writes and reads. */
    public Jackson3Codec(ObjectMapper mapper) {
        this.mapper = Objects.requireNonNull(mapper, "mapper");
        if (mapper.deserializationConfig().getDefaultTyper(mapper.constructType(Object.class)) != null) {
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
        } catch (JacksonException e) {
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

    private <T> @Nullable T read(byte[] payload, Class<T> type) {
        try {
            return mapper.readValue(payload, type);
        } catch (JacksonException e) {
            throw new PostroomException("the payload is not JSON for " + type.getName() + ": " + trouble(e), e);
        }
    }

    /** What and where. Jackson's own words quote the payload, and errors are kept, logged and sent to dead letters. */
    private static String trouble(JacksonException e) {
        String what = path(e.getPath());
        String as = e instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null
                ? " as " + mismatch.getTargetType().getTypeName()
                : "";
        TokenStreamLocation at = e.getLocation();
        return (what.isEmpty() ? "it" : what) + " cannot be read" + as
                + (at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")");
    }

    /** {@code lines[0].price}; keys of maps are data. */
    private static String path(List<JacksonException.Reference> references) {
        StringBuilder path = new StringBuilder();
        for (JacksonException.Reference reference : references) {
            if (reference.from() instanceof Map) {
                path.append("[*]");
            } else if (reference.getPropertyName() == null) {
                path.append('[').append(reference.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(reference.getPropertyName());
            }
        }
        return path.toString();
    }
}
