package dev.postroom.spring;

import dev.postroom.relay.Relay;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a relay in the background, as soon as its database answers: tries less and less often, up to every ten seconds, for
 * as long as the application runs. Thread-safe.
 */
final class LateStart implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RelayLifecycle.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final Supplier<Relay> starter;
    private final BiPredicate<LateStart, Relay> wanted;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile String why;

    private LateStart(Supplier<Relay> starter, Throwable first, BiPredicate<LateStart, Relay> wanted) {
        this.starter = starter;
        this.wanted = wanted;
        this.why = String.valueOf(first.getMessage());
    }

    /** Gives the relay to {@code wanted} once there is one; closes it if that says no. */
    static LateStart begin(Supplier<Relay> starter, Throwable first, BiPredicate<LateStart, Relay> wanted) {
        LateStart start = new LateStart(starter, first, wanted);
        Thread thread = new Thread(start::run, "postroom-relay-start");
        thread.setDaemon(true);
        LOG.warn(
                "OUTBOX_WORKER_WAITS why=\"{}\" the application starts, the relay when the database answers",
                start.why);
        thread.start();
        return start;
    }

    private void run() {
        Duration pause = FIRST_PAUSE;
        while (isOpenAfter(pause) && !isStarted()) {
            Duration longer = pause.multipliedBy(2);
            pause = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
        }
    }

    private boolean isOpenAfter(Duration pause) {
        try {
            return !closed.await(pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return closed.getCount() > 0; // it is ended by closing it, and by nothing else
        }
    }

    private boolean isStarted() {
        try {
            Relay relay = starter.get();
            if (!wanted.test(this, relay)) {
                relay.close();
            }
            return true;
        } catch (Throwable e) { // also what is no database's fault: nobody else would hear of it
            note(e);
            return false;
        }
    }

    private void note(Throwable e) {
        String now = String.valueOf(e.getMessage());
        if (!now.equals(why)) {
            why = now;
            LOG.warn("OUTBOX_WORKER_WAITS why=\"{}\"", now);
        }
    }

    /** What the last try failed with. */
    String why() {
        return why;
    }

    /** Tries no more; returns at once. A relay that comes up in this moment is closed. */
    @Override
    public void close() {
        closed.countDown();
    }
}
