package dev.postroom.jdbc.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.postroom.spi.RowLimits;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Headers are stored as a JSON object of strings. Other languages write them too, so reading expects anything. */
public final class Headers {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int SHOWN_NAME = 60;

    private Headers() {}

    /**
     * What was read.
     *
     * @param defect why these are no headers that can be sent, or null
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

    /**
     * Numbers and booleans are taken as their text, null as absent, also in place of all headers; anything nested is a defect.
     *
     * @param stored null when there are none, or when they were not loaded
     * @param storedBytes how long they are, for those that were not loaded
     */
    public static Parsed read(@Nullable String stored, long storedBytes, RowLimits limits) {
        if (stored == null || stored.isEmpty()) {
            return storedBytes <= limits.storedHeaderBytes() ? Parsed.NONE : tooLong(storedBytes, limits);
        }
        try (JsonParser json = JSON.createParser(stored)) {
            JsonToken first = json.nextToken();
            if (first == JsonToken.VALUE_NULL) {
                return Parsed.NONE;
            }
            if (first != JsonToken.START_OBJECT) {
                return noObject("it is no JSON object");
            }
            return read(json, limits);
        } catch (JsonProcessingException e) {
            return noObject(shown(e.getOriginalMessage(), 4 * SHOWN_NAME));
        } catch (IOException e) {
            throw new UncheckedIOException("reading from memory cannot fail", e);
        }
    }

    private static Parsed read(JsonParser json, RowLimits limits) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        int count = 0;
        long bytes = 0;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            JsonToken token = json.nextToken();
            if (token == null || token.isStructStart()) {
                return noObject("the value of '" + shown(name, SHOWN_NAME) + "' is no string");
            }
            if (token == JsonToken.VALUE_NULL) {
                continue;
            }
            String value = json.getText();
            int length = utf8Length(name);
            int more = utf8Length(value);
            if (length < 0 || more < 0) {
                return defect(
                        "the header '" + shown(name, SHOWN_NAME) + "' contains U+0000 or half a surrogate pair, which"
                                + " nothing can carry: remove it from the row's headers");
            }
            count++;
            bytes += length + more;
            if (count <= limits.headers() && bytes <= limits.headerBytes()) {
                headers.put(name, value);
            }
        }
        return count <= limits.headers() && bytes <= limits.headerBytes()
                ? new Parsed(headers, null)
                : tooMany(count, bytes, limits);
    }

    /** How many bytes this has as UTF-8; -1 when it contains what UTF-8 or databases do not take. */
    private static int utf8Length(String text) {
        int length = text.length();
        int bytes = length;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c == 0) {
                return -1;
            }
            if (c >= 0x80) {
                bytes += c < 0x800 ? 1 : 2;
                if (Character.isSurrogate(c)) {
                    if (!Character.isHighSurrogate(c) || ++i == length || !Character.isLowSurrogate(text.charAt(i))) {
                        return -1;
                    }
                    // Four bytes for two characters, three of which were counted for the first and one for the second.
                }
            }
        }
        return bytes;
    }

    private static Parsed tooLong(long bytes, RowLimits limits) {
        return defect("the column headers has " + bytes + " bytes, and headers within the limits have "
                + limits.storedHeaderBytes() + " at most: send less, or raise postroom.limits.header-bytes (is "
                + limits.headerBytes() + ") or postroom.limits.headers (is " + limits.headers() + ")");
    }

    private static Parsed tooMany(int count, long bytes, RowLimits limits) {
        return count > limits.headers()
                ? defect("there are " + count + " headers, the limit is " + limits.headers()
                        + ": send fewer, or raise postroom.limits.headers")
                : defect("the headers have " + bytes + " bytes, the limit is " + limits.headerBytes()
                        + ": send less, or raise postroom.limits.header-bytes");
    }

    private static Parsed noObject(String why) {
        return defect(
                "the column headers must hold a JSON object of strings, but " + why + ": correct the row's headers");
    }

    private static Parsed defect(String why) {
        return new Parsed(Map.of(), why + ", then retry it");
    }

    /** For an error text, which is stored again: short, and without what databases refuse. */
    private static String shown(String text, int most) {
        StringBuilder shown = new StringBuilder();
        text.codePoints()
                .limit(most)
                .map(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE ? '?' : c)
                .forEach(shown::appendCodePoint);
        return shown.length() < text.length() ? shown + "…" : shown.toString();
    }
}
