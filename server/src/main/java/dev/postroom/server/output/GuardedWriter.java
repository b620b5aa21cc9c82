package dev.postroom.server.output;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.function.UnaryOperator;

/** Keeps text until it is flushed, so that what must be hidden is never seen in halves. */
final class GuardedWriter extends Writer {
    private final PrintWriter target;
    private final UnaryOperator<String> shown;
    private final StringBuilder kept = new StringBuilder();

    GuardedWriter(PrintWriter target, UnaryOperator<String> shown) {
        this.target = target;
        this.shown = shown;
    }

    @Override
    public void write(char[] text, int from, int length) {
        synchronized (lock) {
            kept.append(text, from, length);
        }
    }

    @Override
    public void flush() {
        synchronized (lock) {
            target.write(shown.apply(kept.toString()));
            kept.setLength(0);
            target.flush();
        }
    }

    @Override
    public void close() {
        flush();
        target.close();
    }
}
