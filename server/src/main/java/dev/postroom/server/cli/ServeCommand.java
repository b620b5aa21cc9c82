package dev.postroom.server.cli;

import dev.postroom.policy.Route;
import dev.postroom.relay.Destination;
import dev.postroom.relay.Relay;
import dev.postroom.server.database.Installation;
import dev.postroom.server.serve.ConfiguredRelay;
import dev.postroom.server.serve.Termination;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
        name = "serve",
        description = "Delivers messages to the configured destinations until it is told to stop.",
        footer = {
            "",
            "SIGTERM and Ctrl-C stop it gracefully: what is under way is finished, then its lanes are given back.",
            "",
            "Example:",
            "  postroom serve --config postroom.yml"
        })
final class ServeCommand extends PostroomCommand {

    record Serving(String database, String url, List<String> destinations) {}

    @Override
    public Integer call() throws InterruptedException {
        Installation installation = root().installation();
        boolean enabled =
                installation.settings().section("relay").flag("enabled").orElse(true);
        Termination termination = Termination.listen();
        if (enabled) {
            relay(installation, termination);
        } else {
            remark(
                    "postroom.relay.enabled is false, and this version serves nothing but the relay: idle until stopped");
            termination.await();
        }
        return SUCCESS;
    }

    private void relay(Installation installation, Termination termination) throws InterruptedException {
        ConfiguredRelay configured = ConfiguredRelay.from(installation);
        try (Relay relay = configured.builder().start()) {
            print(
                    new Serving(relay.database(), installation.database().shownUrl(), relay.destinations()),
                    () -> announce(installation, configured, relay));
            termination.await();
            remark("Stopping: finishing what is under way…");
        }
        remark("Stopped.");
    }

    private void announce(Installation installation, ConfiguredRelay configured, Relay relay) {
        out().println("Relaying from " + relay.database() + " at " + installation.database());
        for (Destination destination : configured.destinations()) {
            out().println("  destination " + destination.name() + ": "
                    + destination.transport().description());
        }
        for (Route route : configured.routes()) {
            out().println("  " + route.topic().glob() + " goes to " + String.join(", ", route.destinations()));
        }
        if (configured.routes().isEmpty()) {
            out().println("  every topic goes to " + String.join(", ", relay.destinations()));
        }
        out().println(
                        "Stop it with Ctrl-C or SIGTERM. './postroom nodes' and './postroom doctor' tell how it is doing; the"
                                + " admin page comes with a later version.");
    }
}
