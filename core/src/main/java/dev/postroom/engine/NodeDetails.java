package dev.postroom.engine;

import dev.postroom.spi.LaneStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What this relay tells about itself, as JSON, for commands and pages that explain why something is not sent. */
final class NodeDetails {
    private static final int MOST_GATES = 50;
    private static final int LONGEST_TEXT = 200;

    private final EngineState state;

    NodeDetails(EngineState state) {
        this.state = state;
    }

    LaneStore.NodeReport report() {
        long inFlight = state.memory.entries().stream()
                .filter(entry -> entry.inFlight != 0)
                .count();
        List<String> gates = new ArrayList<>();
        for (Gates.Gate gate : state.gates.all()) {
            if (gates.size() < MOST_GATES) {
                gates.add("{\"cause\":" + text(gate.key.kind().name().toLowerCase(Locale.ROOT)) + ",\"destination\":"
                        + text(gate.key.destination()) + ",\"topic\":" + text(gate.key.topic()) + ",\"why\":"
                        + text(gate.why) + "}");
            }
        }
        String details = "{\"inFlight\":" + inFlight + ",\"inMemory\":" + state.memory.size() + ",\"lanes\":"
                + state.lanes.size() + ",\"blockedStreams\":" + state.memory.blockedStreams() + ",\"held\":["
                + String.join(",", gates) + "]}";
        return new LaneStore.NodeReport(
                state.settings.owner(), state.settings.host(), state.settings.version(), details);
    }

    private static String text(@org.jspecify.annotations.Nullable String value) {
        if (value == null) {
            return "null";
        }
        StringBuilder json = new StringBuilder("\"");
        value.codePoints().limit(LONGEST_TEXT).forEach(c -> {
            if (c == '"' || c == '\\') {
                json.append('\\').appendCodePoint(c);
            } else if (c < ' ') {
                json.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                json.appendCodePoint(c);
            }
        });
        return json.append('"').toString();
    }
}
