package dev.postroom.server.cli;

import dev.postroom.admin.view.StatsView;
import dev.postroom.operations.Stats;
import dev.postroom.server.text.DurationText;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.Command;

@Command(
        name = "stats",
        description = "Shows the outbox at a glance.",
        footer = {"", "Example:", "  postroom stats --json"})
final class StatsCommand extends PostroomCommand {

    @Override
    public Integer call() {
        Stats stats =
                root().installation().operations(root().surroundings().user()).stats();
        print(StatsView.of(stats), () -> printLines(stats));
        return SUCCESS;
    }

    private void printLines(Stats stats) {
        Duration oldest = Duration.ofMillis((long) (stats.oldestAgeSeconds() * 1000));
        line("backlog", (stats.backlogIsExact() ? "" : "about ") + stats.backlog());
        line("oldest", oldest.isZero() ? "-" : DurationText.of(oldest));
        line("in flight", stats.inFlight());
        line(
                "scheduled",
                stats.scheduled() + (stats.nextDue() == null ? "" : ", next " + Values.shown(stats.nextDue())));
        line("blocked", stats.blocked());
        line("failed, waiting", stats.failedPending());
        line("dead", stats.dead());
        line("throughput", String.format(Locale.ROOT, "%.1f/s", stats.throughputPerSecond()));
        line("failure ratio", String.format(Locale.ROOT, "%.1f %%", stats.failureRatio() * 100));
    }

    private void line(String name, Object value) {
        out().printf(Locale.ROOT, "%-17s%s%n", name, value);
    }
}
