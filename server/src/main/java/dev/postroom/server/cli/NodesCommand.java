package dev.postroom.server.cli;

import static dev.postroom.server.output.Table.Column.number;
import static dev.postroom.server.output.Table.Column.text;
import static dev.postroom.server.output.Table.Column.whole;

import dev.postroom.operations.NodeItem;
import dev.postroom.server.doctor.NodeDetails;
import dev.postroom.server.output.Json;
import dev.postroom.server.output.Table;
import dev.postroom.server.view.NodeView;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
        name = "nodes",
        description =
                "Lists the relays that reported, how many lanes each owns, and what it does not send at the moment.",
        footer = {"", "Example:", "  postroom nodes"})
final class NodesCommand extends PostroomCommand {

    @Override
    public Integer call() {
        List<NodeItem> nodes =
                root().installation().operations(root().surroundings().user()).nodes();
        print(
                nodes.stream()
                        .map(node -> NodeView.of(node, Json.parsed(node.details())))
                        .toList(),
                () -> printTable(nodes));
        return SUCCESS;
    }

    private void printTable(List<NodeItem> nodes) {
        if (nodes.isEmpty()) {
            out().println("No relay has reported.");
            return;
        }
        Table table = Table.of(
                text("NODE"),
                text("HOST"),
                whole("ALIVE"),
                number("LANES"),
                number("IN FLIGHT"),
                whole("LAST SEEN"),
                whole("STARTED"),
                text("VERSION"),
                text("HELD"));
        for (NodeItem node : nodes) {
            NodeDetails details = NodeDetails.of(node);
            table.row(
                    node.node(),
                    node.host(),
                    node.alive() ? "yes" : "no",
                    node.lanes(),
                    details.inFlight(),
                    Values.shown(node.lastSeen()),
                    Values.shown(node.startedAt()),
                    node.version(),
                    String.join(", ", details.held()));
        }
        table.print(out(), terminal().width());
    }
}
