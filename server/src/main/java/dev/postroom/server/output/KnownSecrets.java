package dev.postroom.server.output;

import dev.postroom.secrets.Secrets;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/**
 * The secrets that this process has come to know, hidden in whatever it writes to standard error: errors, stack traces, logs,
 * also those of drivers and clients. Standard output is not searched: it carries messages, and their payload must come out as
 * it went in. Thread-safe.
 */
public final class KnownSecrets {
    private volatile Secrets known = Secrets.NONE;

    /** From now on these are hidden, too. */
    public synchronized void learn(Secrets more) {
        known = known.and(more);
    }

    public String hide(String text) {
        return known.hide(text);
    }

    /** What is printed through it comes out without secrets. */
    public PrintWriter guard(PrintWriter writer) {
        return new PrintWriter(new GuardedWriter(writer, this::hide), true);
    }

    /** What is printed through it comes out without secrets, a whole line at a time. */
    public PrintStream guard(PrintStream stream) {
        return new PrintStream(new GuardedStream(stream, this::hide), true, StandardCharsets.UTF_8);
    }
}
