package dev.postroom.server.output;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/**
 * Passes on whole lines only. A flush does not end a line: whoever prints a long text through a {@link PrintStream} flushes
 * it in pieces of some thousand bytes, and a secret would be cut in two.
 */
final class GuardedStream extends OutputStream {
    /** A line that does not end must not fill the memory. */
    private static final int LONGEST_LINE = 1 << 20;

    private final PrintStream target;
    private final UnaryOperator<String> shown;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    GuardedStream(PrintStream target, UnaryOperator<String> shown) {
        this.target = target;
        this.shown = shown;
    }

    @Override
    public synchronized void write(int octet) {
        line.write(octet);
        if (octet == '\n' || line.size() >= LONGEST_LINE) {
            pass();
        }
    }

    /** Lines that come together are looked through together: a secret may have several. */
    @Override
    public synchronized void write(byte[] bytes, int from, int length) {
        int end = from + length;
        while (end > from && bytes[end - 1] != '\n') {
            end--;
        }
        line.write(bytes, from, end - from);
        if (end > from || line.size() >= LONGEST_LINE) {
            pass();
        }
        line.write(bytes, end, from + length - end);
    }

    @Override
    public synchronized void close() {
        pass();
        target.close();
    }

    private void pass() {
        byte[] bytes = shown.apply(line.toString(StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
        line.reset();
        target.write(bytes, 0, bytes.length);
        target.flush();
    }
}
