package dev.postroom.jdbc.internal.operations;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.postroom.operations.RelayReport;
import dev.postroom.operations.RelayReport.Held;
import dev.postroom.operations.RelayReport.Minute;
import dev.postroom.operations.RelayReport.Reading;
import dev.postroom.operations.RelayReport.Recording;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what relays tell about themselves. One that cannot be read, by another version perhaps, says nothing. */
final class RelayReports {
    private static final JsonFactory JSON = new JsonFactory();

    private RelayReports() {}

    static RelayReport read(String details) {
        try (JsonParser json = JSON.createParser(details)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return RelayReport.NONE;
            }
            Map<String, Object> found = object(json);
            return new RelayReport(
                    Math.max(0, whole(found, "inFlight", 0)),
                    held(found.get("held")),
                    whole(found, "delivered", -1),
                    whole(found, "failed", -1),
                    minute(found.get("minute")),
                    number(found, "longestSendSeconds", 0.0),
                    number(found, "longestStallSeconds", 0.0),
                    recording(found.get("recording")),
                    reading(found.get("reading")),
                    text(found.get("standsByFor")),
                    restart(found.get("restart")),
                    addresses(found.get("addresses")));
        } catch (IOException e) {
            return RelayReport.NONE;
        }
    }

    private static Map<String, Object> object(JsonParser json) throws IOException {
        Map<String, Object> members = new HashMap<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            Object value = value(json, json.nextToken());
            if (value != null) {
                members.put(name, value);
            }
        }
        return members;
    }

    private static @Nullable Object value(JsonParser json, JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT -> object(json);
            case START_ARRAY -> {
                List<Object> elements = new ArrayList<>();
                JsonToken next;
                while ((next = json.nextToken()) != JsonToken.END_ARRAY) {
                    Object element = value(json, next);
                    if (element != null) {
                        elements.add(element);
                    }
                }
                yield elements;
            }
            case VALUE_STRING -> json.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> json.getDoubleValue();
            default -> null;
        };
    }

    private static List<Held> held(@Nullable Object gates) {
        List<Held> held = new ArrayList<>();
        if (gates instanceof List<?> list) {
            for (Object gate : list) {
                if (gate instanceof Map<?, ?> map) {
                    held.add(new Held(
                            String.valueOf(map.get("cause")),
                            text(map.get("destination")),
                            text(map.get("topic")),
                            text(map.get("type")),
                            map.get("why") instanceof String why ? why : ""));
                }
            }
        }
        return List.copyOf(held);
    }

    private static Map<String, String> addresses(@Nullable Object told) {
        Map<String, String> addresses = new HashMap<>();
        if (told instanceof Map<?, ?> map) {
            map.forEach((destination, address) -> {
                if (address instanceof String text) {
                    addresses.put(String.valueOf(destination), text);
                }
            });
        }
        return Map.copyOf(addresses);
    }

    private static Recording recording(@Nullable Object told) {
        return told instanceof Map<?, ?> map
                ? new Recording(
                        whole(map, "setAside", 0),
                        map.get("setAsideWhy") instanceof String why ? why : "",
                        number(map, "troubleSeconds", 0.0),
                        map.get("trouble") instanceof String trouble ? trouble : "")
                : Recording.FINE;
    }

    private static Reading reading(@Nullable Object told) {
        return told instanceof Map<?, ?> map
                ? new Reading(
                        number(map, "troubleSeconds", 0.0), map.get("trouble") instanceof String trouble ? trouble : "")
                : Reading.FINE;
    }

    private static Minute minute(@Nullable Object told) {
        if (!(told instanceof Map<?, ?> map)) {
            return Minute.NOTHING;
        }
        return new Minute(
                whole(map, "delivered", 0),
                whole(map, "failed", 0),
                number(map, "p50Millis"),
                number(map, "p95Millis"),
                number(map, "p99Millis"));
    }

    private static RelayReport.@Nullable Restart restart(@Nullable Object told) {
        return told instanceof Map<?, ?> map
                ? new RelayReport.Restart(
                        (int) whole(map, "times", 1),
                        number(map, "secondsAgo", 0.0),
                        map.get("why") instanceof String why ? why : "")
                : null;
    }

    private static @Nullable String text(@Nullable Object value) {
        return value instanceof String text ? text : null;
    }

    private static long whole(Map<?, ?> from, String name, long otherwise) {
        return from.get(name) instanceof Double number ? number.longValue() : otherwise;
    }

    private static double number(Map<?, ?> from, String name, double otherwise) {
        return from.get(name) instanceof Double number ? number : otherwise;
    }

    private static @Nullable Double number(Map<?, ?> from, String name) {
        return from.get(name) instanceof Double number ? number : null;
    }
}
