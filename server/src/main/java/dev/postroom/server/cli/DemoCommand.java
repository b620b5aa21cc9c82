package dev.postroom.server.cli;

import dev.postroom.server.demo.Demo;
import dev.postroom.server.demo.DemoPlan;
import dev.postroom.server.demo.DemoResult;
import dev.postroom.server.serve.Termination;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "demo",
        description =
                "Shows everything at work: a shop, a relay, destinations that fail, and the proof that nothing is lost.",
        footer = {
            "",
            "Needs no database and no settings.",
            "",
            "Examples:",
            "  postroom demo",
            "  postroom demo --for 30s --rate 200"
        })
final class DemoCommand extends PostroomCommand {
    private static final int HIGHEST_RATE = 10_000;

    @Option(
            names = "--port",
            order = 1,
            defaultValue = "8080",
            description = "Port of the admin page; default 8080, 0 for any.")
    private int port;

    @Option(names = "--rate", order = 2, defaultValue = "20", description = "Orders per second; default 20.")
    private double rate;

    @Option(
            names = "--for",
            order = 3,
            paramLabel = "DURATION",
            description = "How long to take orders; until Ctrl-C when it is not given.")
    private @Nullable Duration length;

    @Override
    public Integer call() throws InterruptedException {
        if (!(rate > 0 && rate <= HIGHEST_RATE)) {
            throw wrongUsage("--rate must be above 0 and at most " + HIGHEST_RATE + " (was " + rate + ")");
        }
        if (port < 0 || port > 65_535) {
            throw wrongUsage("--port must be 0 to 65535 (was " + port + ")");
        }
        // Failures are part of the show and are counted on its line; the log would tear that apart.
        System.setProperty("RELAY_LOG_LEVEL", "ERROR");
        Demo demo = new Demo(
                new DemoPlan(rate, length, port),
                terminal(),
                root().json(),
                root().surroundings().user());
        DemoResult result = demo.run(Termination.listen());
        print(result, () -> sumUp(result));
        return result.proved() ? SUCCESS : FAILURE;
    }

    private void sumUp(DemoResult result) {
        out().println();
        out().println("Orders in the shop's own table        " + result.orders() + " (and " + result.rolledBack()
                + " rolled back, of which nothing may arrive)");
        out().println("  delivered to every destination      " + result.delivered());
        out().println("  dead, with a reason                 " + result.dead());
        out().println("  waiting behind a dead one           " + result.blocked());
        out().println("  skipped or deleted by you           " + result.discarded());
        out().println("  lost                                " + result.lost());
        out().println("Delivered though never committed      " + result.phantoms());
        out().println("Delivered more than once              " + result.duplicated());
        out().println("Delivered out of its stream's order   " + result.reordered());
        out().println();
        out().println(
                        result.proved()
                                ? "Nothing was lost, nothing was made up, and every order's messages came in order."
                                : "SOMETHING WENT WRONG: see above.");
    }
}
