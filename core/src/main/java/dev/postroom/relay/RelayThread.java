package dev.postroom.relay;

import dev.postroom.outbox.CommitHint;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that owns the engine. If the engine fails, which is a bug, it begins anew with a fresh one under a new name;
 * the lanes of the old one are taken over like those of a relay that died.
 */
final class RelayThread {
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final RelayPlan plan;
    private final RelayClock clock;
    private final RelayLog log;
    private final Thread thread;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private volatile @Nullable RelayLoop loop;

    RelayThread(RelayPlan plan, RelayClock clock) {
        this.plan = plan;
        this.clock = clock;
        this.log = new RelayLog(plan.conduct().name(), plan.conduct().summaryInterval());
        this.thread = new Thread(this::run, "postroom-relay-" + plan.conduct().name());
        thread.setDaemon(true);
    }

    void start() {
        LOG.info(
                "OUTBOX_WORKER_START relay={} database=\"{}\" destinations={}",
                plan.conduct().name(),
                plan.database().description(),
                plan.routing().names());
        thread.start();
    }

    private void run() {
        try {
            RelayLoop next = begin();
            while (next != null && !isOver(next)) {
                next = stopping.await(PAUSE_AFTER_FAILURE.toMillis(), TimeUnit.MILLISECONDS) ? null : begin();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        LOG.info("OUTBOX_WORKER_STOP relay={}", plan.conduct().name());
    }

    private synchronized @Nullable RelayLoop begin() {
        RelayLoop next = stopping.getCount() == 0 ? null : new RelayLoop(plan, clock, log);
        loop = next;
        return next;
    }

    /** False when it failed and another one is needed. */
    private boolean isOver(RelayLoop current) throws InterruptedException {
        try (current) {
            current.run();
            return true;
        } catch (RuntimeException | Error e) {
            LOG.error(
                    "OUTBOX_WORKER_CRASH relay={} the relay's logic failed and begins anew: please report this",
                    plan.conduct().name(),
                    e);
            return false;
        }
    }

    void wake(CommitHint hint) {
        RelayLoop current = loop;
        if (current != null) {
            current.wake(hint);
        }
    }

    boolean isRunning() {
        return thread.isAlive() && stopping.getCount() > 0;
    }

    /** Whether this call was the one that stopped it; any other finds nothing left to do. */
    boolean stop() {
        RelayLoop current;
        synchronized (this) {
            if (stopping.getCount() == 0) {
                return false;
            }
            stopping.countDown();
            current = loop;
        }
        if (current != null) {
            current.stop();
            if (!hasEndedWithin(plan.conduct().stopTimeout())) {
                LOG.warn(
                        "OUTBOX_WORKER_STOP_TIMEOUT relay={} after={}ms why=\"what is not settled is left to its lease\"",
                        plan.conduct().name(),
                        plan.conduct().stopTimeout().toMillis());
                current.abandon();
                hasEndedWithin(GRACE);
            }
        }
        return true;
    }

    /** An interrupt, and a call from the relay's own thread, end the waiting. */
    private boolean hasEndedWithin(Duration limit) {
        if (Thread.currentThread() == thread) {
            return true;
        }
        try {
            thread.join(Math.max(1, limit.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
