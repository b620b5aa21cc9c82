package dev.postroom.server.serve;

import dev.postroom.relay.RelayListener;
import java.time.Duration;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process when memory has run out in any of its threads: one that has lost a thread serves half of what it should
 * and looks well, while a supervisor restarts one that has ended. The launcher asks the JVM for the same; this is for those
 * who start it otherwise. Thread-safe.
 */
public final class MemoryExit implements Thread.UncaughtExceptionHandler, RelayListener {
    /** The JVM's own, when it is told to exit on lack of memory. */
    public static final int CODE = 3;

    private static final Logger LOG = LoggerFactory.getLogger(MemoryExit.class);
    private static final int MOST_CAUSES = 20;

    private final IntConsumer exit;

    /** Without shutdown hooks, which may need memory, too. */
    public MemoryExit() {
        this(Runtime.getRuntime()::halt);
    }

    MemoryExit(IntConsumer exit) {
        this.exit = exit;
    }

    /** From here on it hears of every thread that ends with an exception. */
    public MemoryExit install() {
        Thread.setDefaultUncaughtExceptionHandler(this);
        return this;
    }

    @Override
    public void uncaughtException(Thread thread, Throwable error) {
        endIfOutOfMemory(error);
        LOG.error("THREAD_DIED thread={}", thread.getName(), error);
    }

    @Override
    public void crashed(Throwable error, Duration pause) {
        endIfOutOfMemory(error);
    }

    private void endIfOutOfMemory(Throwable error) {
        @Nullable Throwable cause = error;
        for (int i = 0; i < MOST_CAUSES && cause != null; i++) {
            if (cause instanceof OutOfMemoryError) {
                end(cause);
                return;
            }
            cause = cause.getCause();
        }
    }

    @SuppressWarnings("SystemOut") // there may be no memory for a logger
    private void end(Throwable error) {
        try {
            System.err.println("postroom: out of memory, so this process ends; messages are safe in the"
                    + " database: give it more (-Xmx), or lower postroom.relay.max-in-flight-bytes");
            System.err.println(error);
        } finally {
            exit.accept(CODE);
        }
    }
}
