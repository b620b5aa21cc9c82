package dev.postroom.server.demo;

import dev.postroom.server.output.Terminal;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;

/** Shows how the demo goes: one line that is redrawn if somebody watches, else a line every few seconds. For one thread. */
final class Scoreboard {
    private static final Duration WATCHED = Duration.ofMillis(250);
    private static final Duration UNWATCHED = Duration.ofSeconds(5);

    private final Terminal terminal;
    private final boolean silent;
    private long lastShown = Long.MIN_VALUE;
    private int width;

    Scoreboard(Terminal terminal, boolean silent) {
        this.terminal = terminal;
        this.silent = silent;
    }

    /** What stands on the line. */
    record Score(
            long published, long delivered, long retried, long dead, long blocked, double perSecond, String trouble) {}

    /** Shows the score, which is asked for only when it is time to. */
    void show(Supplier<Score> current) {
        long now = System.nanoTime();
        Duration interval = terminal.isWatched() ? WATCHED : UNWATCHED;
        if (silent || (lastShown != Long.MIN_VALUE && now - lastShown < interval.toNanos())) {
            return;
        }
        lastShown = now;
        Score score = current.get();
        String line = String.format(
                Locale.ROOT,
                "published %d  delivered %d  retried %d  dead %d  blocked %d  %.1f/s  %s",
                score.published(),
                score.delivered(),
                score.retried(),
                score.dead(),
                score.blocked(),
                score.perSecond(),
                score.trouble());
        if (terminal.isWatched()) {
            String cut = line.substring(0, Math.min(line.length(), Math.max(1, terminal.width() - 1)));
            terminal.out().print("\r" + cut + " ".repeat(Math.max(0, width - cut.length())));
            width = cut.length();
        } else {
            terminal.out().println(line.stripTrailing());
        }
        terminal.out().flush();
    }

    /** Ends the line that is being redrawn. */
    void end() {
        if (!silent && width > 0) {
            terminal.out().println();
            width = 0;
        }
    }
}
