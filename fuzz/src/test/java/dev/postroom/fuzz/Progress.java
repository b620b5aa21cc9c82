package dev.postroom.fuzz;

import java.io.PrintStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says every few seconds how far a run is, and what was found when it was. */
final class Progress {
    private static final Pattern STATE = Pattern.compile("#(\\d+)\\s+\\S+\\s+cov: (\\d+).* corp: (\\d+)/.*");
    private static final long INTERVAL_NANOS = 10_000_000_000L;

    private final PrintStream out;
    private long last = System.nanoTime();
    private boolean finding;

    Progress(PrintStream out) {
        this.out = out;
    }

    void line(String line) {
        if (line.startsWith("== Java Exception")) {
            finding = true;
        } else if (line.startsWith("== libFuzzer")) {
            finding = false;
        }
        Matcher state = STATE.matcher(line);
        if (finding) {
            out.println("  " + line);
        } else if (state.matches() && System.nanoTime() - last > INTERVAL_NANOS) {
            last = System.nanoTime();
            out.println("  " + state.group(1) + " inputs, " + state.group(2) + " places reached, " + state.group(3)
                    + " inputs kept");
        }
    }
}
