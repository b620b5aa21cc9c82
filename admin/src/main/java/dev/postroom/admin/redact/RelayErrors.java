package dev.postroom.admin.redact;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.postroom.admin.view.ViewJson;
import dev.postroom.operations.NodeItem;
import dev.postroom.operations.RelayReport;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Hides errors in what a relay tells about itself: why it holds a destination, and what a database refused, quote receivers and
 * rows.
 */
public final class RelayErrors {
    /** The texts that are names. Others are treated as errors, also those that a newer relay adds. */
    private static final Set<String> NAMES = Set.of("cause", "destination", "topic", "standsByFor");

    /** By their destinations, without credentials. */
    private static final String ADDRESSES = "addresses";

    private final UnaryOperator<String> shown;

    public RelayErrors(UnaryOperator<String> shown) {
        this.shown = shown;
    }

    public NodeItem hide(NodeItem node) {
        return new NodeItem(
                node.node(),
                node.host(),
                node.version(),
                node.startedAt(),
                node.lastSeen(),
                node.alive(),
                node.lanes(),
                ViewJson.line(details(ViewJson.parsed(node.details()))),
                node.routing(),
                report(node.report()));
    }

    private RelayReport report(RelayReport told) {
        RelayReport.Recording recording = told.recording();
        RelayReport.Reading reading = told.reading();
        RelayReport.Restart restart = told.restart();
        return new RelayReport(
                told.inFlight(),
                told.held().stream().map(this::held).toList(),
                told.delivered(),
                told.failed(),
                told.minute(),
                told.longestSendSeconds(),
                told.longestStallSeconds(),
                new RelayReport.Recording(
                        recording.setAside(),
                        shown.apply(recording.setAsideWhy()),
                        recording.troubleSeconds(),
                        shown.apply(recording.trouble())),
                new RelayReport.Reading(reading.troubleSeconds(), shown.apply(reading.trouble())),
                told.standsByFor(),
                restart == null
                        ? null
                        : new RelayReport.Restart(restart.times(), restart.secondsAgo(), shown.apply(restart.why())),
                told.addresses());
    }

    private RelayReport.Held held(RelayReport.Held held) {
        return new RelayReport.Held(
                held.cause(), held.destination(), held.topic(), held.type(), shown.apply(held.why()));
    }

    private JsonNode details(JsonNode node) {
        if (node instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> member : object.properties()) {
                boolean isName = (member.getValue().isTextual() && NAMES.contains(member.getKey()))
                        || member.getKey().equals(ADDRESSES);
                member.setValue(isName ? member.getValue() : details(member.getValue()));
            }
            return object;
        }
        if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, details(array.get(i)));
            }
            return array;
        }
        return node.isTextual() ? TextNode.valueOf(shown.apply(node.asText())) : node;
    }
}
