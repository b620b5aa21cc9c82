package dev.postroom.server.cli;

import static dev.postroom.server.output.Table.Column.number;
import static dev.postroom.server.output.Table.Column.text;
import static dev.postroom.server.output.Table.Column.whole;

import dev.postroom.admin.Redaction;
import dev.postroom.admin.view.NodeView;
import dev.postroom.operations.AddressDifference;
import dev.postroom.operations.NodeItem;
import dev.postroom.operations.Operations;
import dev.postroom.operations.RoutingDifference;
import dev.postroom.server.output.Table;
import dev.postroom.server.text.Printable;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

@Command(
        name = "nodes",
        description =
                "Lists the relays that reported, how many lanes each owns, and what it does not send at the moment.",
        footer = {"", "Example:", "  postroom nodes"})
final class NodesCommand extends PostroomCommand {
    private static final int SHOWN = 8;

    @Override
    public Integer call() {
        Redaction redaction = root().installation().settings().redaction();
        Operations operations =
                root().installation().operations(root().surroundings().user());
        List<NodeItem> nodes = operations.nodes().stream().map(redaction::relay).toList();
        print(nodes.stream().map(NodeView::of).toList(), () -> {
            printTable(nodes);
            RoutingDifference.of(operations.routings(), nodes).forEach(this::printDifference);
        });
        return SUCCESS;
    }

    /** The beginning of the fingerprint tells them apart. */
    private static String routing(NodeItem node) {
        String shown =
                node.routing().substring(0, Math.min(SHOWN, node.routing().length()));
        return node.report().standsByFor() == null ? shown : shown + " (stands by)";
    }

    /** Against the routes in force, route by route. */
    private void printDifference(RoutingDifference relay) {
        out().println("Routes of " + Printable.line(relay.node()) + " (+) against those in force (-), as of "
                + Values.shown(relay.asOf()) + ":");
        relay.lines().forEach(line -> out().println("  " + Printable.line(line)));
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
                text("ROUTING"),
                text("HELD"));
        for (NodeItem node : nodes) {
            table.row(
                    node.node(),
                    node.host(),
                    node.alive() ? "yes" : "no",
                    node.lanes(),
                    node.report().inFlight(),
                    Values.shown(node.lastSeen()),
                    Values.shown(node.startedAt()),
                    node.version(),
                    routing(node),
                    node.report().held().stream()
                            .map(held -> held.what() + ": " + held.why())
                            .collect(Collectors.joining(", ")));
        }
        table.print(out(), terminal().width());
        AddressDifference.of(nodes)
                .forEach(difference -> out().println("Addresses differ: " + Printable.line(difference.text())));
    }
}
