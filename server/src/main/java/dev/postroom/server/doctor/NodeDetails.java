package dev.postroom.server.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postroom.operations.NodeItem;
import java.util.ArrayList;
import java.util.List;

/**
 * What a relay told about itself, as far as it can be read; a newer or older one may tell other things.
 *
 * @param inFlight messages on their way
 * @param held what it does not send at the moment, and why, for people
 */
public record NodeDetails(long inFlight, List<String> held) {

    public static NodeDetails of(NodeItem node) {
        try {
            JsonNode details = new ObjectMapper().readTree(node.details());
            List<String> held = new ArrayList<>();
            details.path("held").forEach(gate -> held.add(describe(gate)));
            return new NodeDetails(details.path("inFlight").asLong(), List.copyOf(held));
        } catch (JsonProcessingException e) {
            return new NodeDetails(0, List.of());
        }
    }

    private static String describe(JsonNode gate) {
        String destination = gate.path("destination").asText("");
        String topic = gate.path("topic").asText("");
        String what = (isNothing(destination) ? "" : "destination " + destination)
                + (isNothing(topic) ? "" : (isNothing(destination) ? "" : " ") + "topic " + topic);
        return (what.isEmpty() ? "everything" : what) + ": " + gate.path("why").asText("");
    }

    private static boolean isNothing(String text) {
        return text.isEmpty() || text.equals("null");
    }
}
