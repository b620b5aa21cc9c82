package dev.postroom.rabbitmq;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks after a connection a few times a second, on a thread of its own: the one that writes may be stuck. */
final class Watch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Watch.class);
    private static final long PERIOD_MILLIS = 100;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread watch = new Thread(work, "postroom-rabbitmq-watch");
        watch.setDaemon(true);
        return watch;
    });

    @SuppressWarnings("FutureReturnValueIgnored") // it never completes, and no exception gets there
    Watch(Runnable check) {
        thread.scheduleWithFixedDelay(() -> safely(check), PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Whatever is thrown would end the schedule without a word. */
    private static void safely(Runnable check) {
        try {
            check.run();
        } catch (Throwable e) {
            LOG.warn("cannot look after the connection", e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
