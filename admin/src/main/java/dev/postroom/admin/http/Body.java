package dev.postroom.admin.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A posted JSON object. A member that is not known is refused: it is probably a condition with a slip in its name, and
 * without it an action would reach more than was meant.
 */
public final class Body {
    /** A thousand ids and a reason fit in. */
    public static final int MOST_BYTES = 128 * 1024;

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder().maxNestingDepth(16).build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final String name;
    private final ObjectNode members;

    private Body(String name, ObjectNode members) {
        this.name = name;
        this.members = members;
    }

    static Body read(HttpServletRequest request) {
        byte[] bytes = bytes(request);
        try {
            JsonNode read = MAPPER.readTree(bytes);
            if (read instanceof ObjectNode object) {
                return new Body("", object);
            }
            throw RefusedException.badRequest(
                    "the body must be a JSON object, such as {\"reason\":\"receiver fixed\"}");
        } catch (JsonProcessingException e) {
            // Not the parser's own words: they quote what was sent.
            JsonLocation where = e.getLocation();
            throw RefusedException.badRequest(
                    where == null
                            ? "the body has too many levels, or a number or a name that is too long"
                            : "the body is no JSON (line " + where.getLineNr() + ", column " + where.getColumnNr()
                                    + ")");
        } catch (IOException e) {
            // The parser took it for UTF-16 or UTF-32 by its first bytes, which it then was not.
            throw RefusedException.badRequest("the body is no JSON in UTF-8");
        }
    }

    private static byte[] bytes(HttpServletRequest request) {
        try {
            byte[] bytes = request.getInputStream().readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new RefusedException(Problem.TOO_LARGE, "the body may have " + MOST_BYTES + " bytes");
            }
            return bytes;
        } catch (IOException e) {
            throw RefusedException.badRequest("the body could not be read to its end");
        }
    }

    /** Refuses members that are not among these. */
    public Body only(String... known) {
        Set<String> names = new TreeSet<>(Arrays.asList(known));
        for (Iterator<String> it = members.fieldNames(); it.hasNext(); ) {
            String given = it.next();
            if (!names.contains(given)) {
                throw RefusedException.badRequest("'" + (given.length() <= 60 ? given : given.substring(0, 60) + "…")
                        + "' is not known" + (name.isEmpty() ? "" : " in " + name) + ": use "
                        + String.join(", ", names));
            }
        }
        return this;
    }

    public @Nullable String text(String member) {
        JsonNode value = members.get(member);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isTextual()) {
            throw RefusedException.badRequest(path(member) + " must be a text");
        }
        return value.textValue();
    }

    /** A text, read in some way. */
    public <T> @Nullable T text(String member, Function<String, T> read, String expected) {
        String text = text(member);
        return text == null ? null : Values.read(path(member), text, read, expected);
    }

    public @Nullable Integer number(String member) {
        JsonNode value = members.get(member);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isIntegralNumber() || !value.canConvertToInt()) {
            throw RefusedException.badRequest(path(member) + " must be a whole number");
        }
        return value.intValue();
    }

    public @Nullable Boolean flag(String member) {
        JsonNode value = members.get(member);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isBoolean()) {
            throw RefusedException.badRequest(path(member) + " must be true or false");
        }
        return value.booleanValue();
    }

    /** An empty one when it is not there. */
    public Body object(String member) {
        JsonNode value = members.get(member);
        if (value == null || value.isNull()) {
            return new Body(path(member), MAPPER.createObjectNode());
        }
        if (value instanceof ObjectNode object) {
            return new Body(path(member), object);
        }
        throw RefusedException.badRequest(path(member) + " must be an object");
    }

    public List<String> texts(String member) {
        JsonNode value = members.get(member);
        List<String> texts = new ArrayList<>();
        if (value == null || value.isNull()) {
            return texts;
        }
        if (!value.isArray()) {
            throw RefusedException.badRequest(path(member) + " must be a list");
        }
        for (JsonNode element : value) {
            if (!element.isTextual()) {
                throw RefusedException.badRequest(path(member) + " must be a list of texts");
            }
            texts.add(element.textValue());
        }
        return texts;
    }

    private String path(String member) {
        return name.isEmpty() ? member : name + "." + member;
    }
}
