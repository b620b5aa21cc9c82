package dev.postroom.server.cli;

import dev.postroom.policy.Route;
import dev.postroom.relay.Destination;
import dev.postroom.relay.Relay;
import dev.postroom.server.database.Installation;
import dev.postroom.server.serve.ConfiguredRelay;
import dev.postroom.server.serve.DatabaseWait;
import dev.postroom.server.serve.MemoryExit;
import dev.postroom.server.serve.Termination;
import dev.postroom.server.web.AdminPool;
import dev.postroom.server.web.AdminSettings;
import dev.postroom.server.web.ServerMetrics;
import dev.postroom.server.web.WebServer;
import dev.postroom.spi.Store;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

@Command(
        name = "serve",
        description =
                "Delivers messages to the configured destinations and serves the admin page, until it is told to stop.",
        footer = {
            "",
            "SIGTERM and Ctrl-C stop it gracefully: what is under way is finished, then its lanes are given back.",
            "While the database cannot be reached it waits, up to postroom.database.wait (60s).",
            "Exit code 3 means that it ran out of memory.",
            "",
            "Example:",
            "  postroom serve --config postroom.yml"
        })
final class ServeCommand extends PostroomCommand {

    record Serving(
            @Nullable String database,
            String url,
            List<String> destinations,
            @Nullable String adminUrl) {}

    @Override
    public Integer call() throws InterruptedException {
        Installation installation = root().installation();
        boolean relays =
                installation.settings().section("relay").flag("enabled").orElse(true);
        Termination termination = Termination.listen();
        MemoryExit memory = new MemoryExit().install();
        try (ServerMetrics metrics = new ServerMetrics()) {
            if (relays) {
                relay(installation, termination, metrics, memory);
            } else {
                remark("postroom.relay.enabled is false: nothing is delivered by this process");
                if (new DatabaseWait(installation, termination, this::remark).isOver()) {
                    administer(installation, termination, null, metrics);
                }
            }
        }
        remark("Stopped.");
        return SUCCESS;
    }

    private void relay(Installation installation, Termination termination, ServerMetrics metrics, MemoryExit memory)
            throws InterruptedException {
        // Before anything is delivered: who could use the admin surface is a matter of settings, too.
        AdminSettings.from(installation.settings(), root().surroundings().user());
        ConfiguredRelay configured = ConfiguredRelay.from(installation);
        for (Destination destination : configured.destinations()) {
            root().surroundings().secrets().learn(destination.transport().secrets());
        }
        if (!new DatabaseWait(installation, termination, this::remark).isOver()) {
            return;
        }
        try (Relay relay = configured
                .builder()
                .listener(metrics.relayListener())
                .listener(memory)
                .start()) {
            if (!root().json()) {
                announce(installation, configured, relay);
                out().flush();
            }
            administer(installation, termination, relay, metrics);
        }
    }

    /** Until it is told to stop; the admin surface ends before the relay, and the pool after both have let go of it. */
    private void administer(
            Installation installation, Termination termination, @Nullable Relay relay, ServerMetrics metrics)
            throws InterruptedException {
        if (!installation.settings().section("admin").flag("enabled").orElse(true)) {
            serve(installation, termination, relay, null);
            return;
        }
        AdminSettings admin = AdminSettings.from(
                installation.settings(), root().surroundings().user());
        try (AdminPool pool = new AdminPool(installation.dataSource());
                WebServer web = WebServer.start(usable(installation.store(pool.dataSource())), admin, metrics)) {
            serve(installation, termination, relay, web.url());
        }
    }

    /** Fails with what to do when the tables are missing or of another version. */
    private static Store usable(Store store) {
        store.schema().check();
        return store;
    }

    private void serve(
            Installation installation, Termination termination, @Nullable Relay relay, @Nullable String adminUrl)
            throws InterruptedException {
        print(
                new Serving(
                        relay == null ? null : relay.database(),
                        installation.database().shownUrl(),
                        relay == null ? List.of() : relay.destinations(),
                        adminUrl),
                () -> out().println((adminUrl == null ? "" : "Admin page at " + adminUrl + "\n")
                        + "Stop it with Ctrl-C or SIGTERM."));
        termination.await();
        remark("Stopping: finishing what is under way…");
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
    }
}
