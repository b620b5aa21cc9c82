package dev.postroom.admin.rest;

import dev.postroom.PostroomException;
import dev.postroom.operations.Readings;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes a reading for the history every few seconds, on a thread of its own. Starting and stopping twice is fine. */
public final class Sampler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sampler.class);
    private static final Duration LONGEST_STOP = Duration.ofSeconds(6);

    private final Readings readings;
    private final History history;
    private final InstantSource clock;
    private @Nullable Thread thread;
    private boolean trouble;

    public Sampler(Readings readings, History history, InstantSource clock) {
        this.readings = readings;
        this.history = history;
        this.clock = clock;
    }

    public synchronized void start() {
        if (thread == null) {
            thread = new Thread(this::run, "postroom-admin-sampler");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                sample();
                Thread.sleep(History.INTERVAL.toMillis()); // one point of the history at a time
            }
        } catch (InterruptedException e) {
            // that is how it is stopped
        }
    }

    /** A database that is away leaves a gap, and one line in the log. */
    void sample() {
        try {
            history.add(readings.current(), clock.instant());
            trouble = false;
        } catch (PostroomException e) {
            if (!trouble) {
                LOG.warn("ADMIN_READING_FAILED error=\"{}\"", e.getMessage());
            }
            trouble = true;
        } catch (Throwable e) { // the history would stop without a word
            LOG.warn("ADMIN_READING_FAILED", e);
        }
    }

    @Override
    public void close() {
        Thread running;
        synchronized (this) {
            running = thread;
            thread = null;
        }
        if (running == null) {
            return;
        }
        running.interrupt();
        try {
            running.join(LONGEST_STOP.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
