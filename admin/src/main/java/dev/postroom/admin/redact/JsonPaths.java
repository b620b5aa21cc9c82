package dev.postroom.admin.redact;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hides values of JSON texts by their paths, and leaves the rest of the text as it came: numbers are not rounded, members
 * of the same name stay. Immutable, thread-safe.
 */
public final class JsonPaths {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String HIDDEN = '"' + HiddenValues.HIDDEN + '"';

    private final List<JsonPath> paths;

    private JsonPaths(List<JsonPath> paths) {
        this.paths = paths;
    }

    public static JsonPaths of(List<String> paths) {
        return new JsonPaths(
                paths.stream().map(path -> JsonPath.of(path.strip())).toList());
    }

    public boolean isEmpty() {
        return paths.isEmpty();
    }

    /** The text without what the paths lead to, which is added to the hidden values; null when it is not JSON. */
    public @Nullable String hide(String json, HiddenValues hidden) {
        char[] text = json.toCharArray();
        try (JsonParser parser = JSON.createParser(text)) {
            Walk walk = new Walk(parser, json, hidden);
            while (parser.nextToken() != null) {
                walk.token();
            }
            return walk.shown();
        } catch (IOException e) {
            return null;
        }
    }

    /** Something that has members or elements. */
    private static final class Place {
        final long[] taken;
        final boolean isArray;
        int element = -1;

        Place(long[] taken, boolean isArray) {
            this.taken = taken;
            this.isArray = isArray;
        }
    }

    private final class Walk {
        private final JsonParser parser;
        private final String json;
        private final HiddenValues hidden;
        private final Deque<Place> places = new ArrayDeque<>();
        private final StringBuilder out = new StringBuilder();
        private int copied;

        Walk(JsonParser parser, String json, HiddenValues hidden) {
            this.parser = parser;
            this.json = json;
            this.hidden = hidden;
        }

        void token() throws IOException {
            JsonToken token = parser.currentToken();
            if (token == JsonToken.FIELD_NAME) {
                return;
            }
            if (token.isStructEnd()) {
                places.pop();
                return;
            }
            long[] taken = taken();
            if (isThere(taken)) {
                hideValue();
            } else if (token.isStructStart()) {
                places.push(new Place(taken, token == JsonToken.START_ARRAY));
            }
        }

        private long[] taken() throws IOException {
            long[] taken = new long[paths.size()];
            Place place = places.peek();
            String member = place == null || place.isArray ? null : parser.currentName();
            if (place != null && place.isArray) {
                place.element++;
            }
            // A struct's own name is that of the member it is the value of.
            for (int i = 0; i < taken.length; i++) {
                taken[i] = place == null ? 1 : paths.get(i).next(place.taken[i], member, place.element);
            }
            return taken;
        }

        private boolean isThere(long[] taken) {
            for (int i = 0; i < taken.length; i++) {
                if (paths.get(i).isThere(taken[i])) {
                    return true;
                }
            }
            return false;
        }

        private void hideValue() throws IOException {
            int from = (int) parser.currentTokenLocation().getCharOffset();
            int depth = 0;
            while (true) {
                JsonToken token = parser.currentToken();
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                if (token.isScalarValue() && token != JsonToken.VALUE_NULL) {
                    remember();
                }
                if (depth == 0) {
                    break;
                }
                if (parser.nextToken() == null) {
                    throw new IOException("it ends within a value");
                }
            }
            parser.finishToken();
            out.append(json, copied, from).append(HIDDEN);
            copied = (int) parser.currentLocation().getCharOffset();
        }

        /** As it reads and as it is written, for an error may quote either. */
        private void remember() throws IOException {
            hidden.add(parser.getText());
            int from = (int) parser.currentTokenLocation().getCharOffset();
            int to = (int) parser.currentLocation().getCharOffset();
            String written = json.substring(from, to).strip();
            hidden.add(
                    written.length() > 1 && written.startsWith("\"")
                            ? written.substring(1, written.length() - 1)
                            : written);
        }

        String shown() {
            return out.append(json, copied, json.length()).toString();
        }
    }
}
