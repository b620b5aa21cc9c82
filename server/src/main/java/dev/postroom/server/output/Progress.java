package dev.postroom.server.output;

import java.util.function.LongConsumer;

/** Shows on standard error how far a long action is, if somebody watches. */
public final class Progress implements LongConsumer, AutoCloseable {
    private final Terminal terminal;
    private final String what;
    private int steps;

    /** @param what the verb for what is done: {@code changed} */
    public Progress(Terminal terminal, String what) {
        this.terminal = terminal;
        this.what = what;
    }

    /** A short action has one step and shows nothing: its result follows at once. */
    @Override
    public void accept(long soFar) {
        steps++;
        if (terminal.isWatched() && steps > 1) {
            terminal.err().print("\r" + soFar + " " + what + "…");
            terminal.err().flush();
        }
    }

    @Override
    public void close() {
        if (terminal.isWatched() && steps > 1) {
            terminal.err().println();
        }
    }
}
