package dev.postroom.testkit.contract;

import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Threads for what must happen at the same time; closing waits until they have ended. */
final class Background implements AutoCloseable {
    private static final String NAME = "contract-background";

    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, NAME);
        thread.setDaemon(true);
        return thread;
    });

    <T> Future<T> run(Callable<T> work) {
        return threads.submit(work);
    }

    /** How many of these threads are inside a statement of H2, which runs in this JVM. */
    static long insideH2() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().equals(NAME))
                .filter(thread -> Arrays.stream(thread.getValue())
                        .anyMatch(frame -> frame.getClassName().equals("org.h2.jdbc.JdbcPreparedStatement")))
                .count();
    }

    @Override
    public void close() throws InterruptedException {
        threads.shutdownNow();
        if (!threads.awaitTermination(60, TimeUnit.SECONDS)) {
            throw new AssertionError("a background thread did not end within 60 s");
        }
    }
}
