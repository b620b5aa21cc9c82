package dev.postroom.server.output;

import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/**
 * Where a command reads and writes.
 *
 * @param width characters that fit on a line, 0 when standard output is no terminal
 */
public record Terminal(InputStream in, PrintWriter out, PrintWriter err, int width) {

    /** This process's own, always in UTF-8: in a container without a locale Java would print question marks. */
    public static Terminal ofProcess() {
        return new Terminal(System.in, utf8(System.out), utf8(System.err), TerminalWidth.find());
    }

    private static PrintWriter utf8(PrintStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
    }

    /** Whether somebody watches, so that progress makes sense. */
    public boolean isWatched() {
        return width > 0;
    }
}
