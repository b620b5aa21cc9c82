package dev.postroom.server.output;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Asks the system how wide the terminal is; Java cannot tell. */
final class TerminalWidth {
    private static final int USUAL = 80;
    private static final int NARROWEST = 40;

    private TerminalWidth() {}

    /** The width, or 0 when standard output is a file or a pipe. */
    @SuppressWarnings("SystemConsoleNull") // only saves a process on older JDKs; "test -t" decides on all of them
    static int find() {
        return System.console() == null ? 0 : ask();
    }

    private static int ask() {
        // Standard output must stay the terminal for the test to see it, so the answer comes on standard error.
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "test -t 1 && stty size </dev/tty >&2")
                .redirectOutput(Redirect.INHERIT)
                .redirectInput(Redirect.INHERIT);
        try {
            Process process = builder.start();
            if (!process.waitFor(500, TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                return USUAL;
            }
            String answer = new String(process.getErrorStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            return process.exitValue() == 0 ? width(answer) : 0;
        } catch (IOException e) {
            return USUAL;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return USUAL;
        }
    }

    /** {@code "24 80"} is 24 lines of 80. A terminal that does not know its size says 0. */
    static int width(String answer) {
        String[] parts = answer.split(" ", -1);
        boolean known = parts.length == 2 && parts[1].matches("\\d{1,5}") && !parts[1].equals("0");
        return known ? Math.max(NARROWEST, Integer.parseInt(parts[1])) : USUAL;
    }
}
