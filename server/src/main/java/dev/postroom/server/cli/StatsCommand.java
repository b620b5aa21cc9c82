package dev.postroom.server.cli;

import dev.postroom.admin.view.StatsView;
import dev.postroom.admin.view.ViewJson;
import dev.postroom.operations.Operations;
import dev.postroom.operations.Stats;
import dev.postroom.server.output.Paint;
import dev.postroom.server.serve.Termination;
import dev.postroom.server.text.DurationText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "stats",
        description = "Shows the outbox at a glance.",
        footer = {"", "Examples:", "  postroom stats --json", "  postroom stats --watch", "  postroom stats --watch 10s"
        })
final class StatsCommand extends PostroomCommand {
    private static final Duration OFTEN = Duration.ofMillis(100);
    /** To the upper left, and from there everything is erased. */
    private static final String CLEAR = "\u001b[H\u001b[2J";

    @Option(
            names = "--watch",
            arity = "0..1",
            fallbackValue = "2s",
            paramLabel = "INTERVAL",
            order = 1,
            description = "Show it again and again, every 2s unless told otherwise; with --json one document a line.")
    private @Nullable Duration watch;

    @Override
    public Integer call() throws InterruptedException {
        Operations operations =
                root().installation().operations(root().surroundings().user());
        if (watch == null) {
            Stats stats = operations.stats();
            print(StatsView.of(stats), () -> printLines(stats));
            return SUCCESS;
        }
        if (watch.compareTo(OFTEN) < 0) {
            throw wrongUsage("--watch must be at least 100ms (was " + DurationText.of(watch) + ")");
        }
        Termination termination = Termination.listen();
        do {
            show(operations.stats());
        } while (!termination.isRequestedWithin(watch));
        return SUCCESS;
    }

    private void show(Stats stats) {
        if (root().json()) {
            out().println(new String(ViewJson.bytes(StatsView.of(stats)), StandardCharsets.UTF_8));
        } else {
            out().print(terminal().isWatched() ? CLEAR : "");
            printLines(stats);
            out().print(terminal().isWatched() ? "" : System.lineSeparator());
        }
        out().flush();
    }

    private void printLines(Stats stats) {
        Paint paint = Paint.on(terminal(), root().surroundings().environment());
        Duration oldest = Duration.ofMillis((long) (stats.oldestAgeSeconds() * 1000));
        line("backlog", (stats.backlogIsExact() ? "" : "about ") + stats.backlog());
        line("oldest", oldest.isZero() ? "-" : DurationText.of(oldest));
        line("in flight", stats.inFlight());
        line(
                "scheduled",
                stats.scheduled() + (stats.nextDue() == null ? "" : ", next " + Values.shown(stats.nextDue())));
        line(
                "blocked",
                stats.blockedStreams() == 0
                        ? "0"
                        : paint.doubtful(stats.blockedMessages() + " in " + stats.blockedStreams()
                                + (stats.blockedStreams() == 1 ? " stream" : " streams")));
        line("failed, waiting", stats.failedPending() == 0 ? "0" : paint.doubtful(stats.failedPending() + ""));
        line("dead", stats.dead() == 0 ? "0" : paint.bad(stats.dead() + ""));
        line("throughput", String.format(Locale.ROOT, "%.1f/s", stats.throughputPerSecond()));
        line("failure ratio", String.format(Locale.ROOT, "%.1f %%", stats.failureRatio() * 100));
    }

    private void line(String name, Object value) {
        out().printf(Locale.ROOT, "%-17s%s%n", name, value);
    }
}
