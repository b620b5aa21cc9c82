package dev.postroom.relay;

import dev.postroom.engine.Restart;
import dev.postroom.operations.RelayReport;
import dev.postroom.outbox.CommitHint;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that owns the engine. If any part of the relay fails, it begins anew with a fresh engine under a new name, after
 * a pause that grows; the lanes of the old one are taken over like those of a relay that died.
 */
final class RelayThread {
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);
    /** For the desks of a loop that was abandoned. */
    private static final Duration GRACE = RelayLoop.GRACE.multipliedBy(3);

    private final RelayPlan plan;
    private final RelayClock clock;
    private final RelayLog log;
    private final Listeners listeners;
    private final Restarts restarts;
    private final Thread thread;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private volatile @Nullable RelayLoop loop;

    RelayThread(RelayPlan plan, RelayClock clock) {
        this.plan = plan;
        this.clock = clock;
        this.restarts = new Restarts(plan.template().routingDelay(), clock.nanos());
        this.log = new RelayLog(
                plan.conduct().name(),
                plan.routing().text().fingerprint(),
                plan.conduct().summaryInterval());
        this.listeners = new Listeners(log, plan.conduct().listeners());
        this.thread = new Thread(this::run, "postroom-relay-" + plan.conduct().name());
        thread.setDaemon(true);
    }

    void start() {
        LOG.info(
                "OUTBOX_WORKER_START relay={} database=\"{}\" destinations={}",
                plan.conduct().name(),
                plan.database().description(),
                plan.routing().names());
        loop = new RelayLoop(plan, clock, log, listeners);
        thread.start();
    }

    private void run() {
        RelayLoop current = loop;
        while (current != null) {
            Throwable failure = failureOf(current);
            current = failure == null ? null : successor(current, failure);
        }
        LOG.info("OUTBOX_WORKER_STOP relay={}", plan.conduct().name());
    }

    /** What ended it, or null when it was told to stop and did. */
    private static @Nullable Throwable failureOf(RelayLoop current) {
        try (current) {
            current.run();
            return null;
        } catch (Throwable e) { // also an interrupt: the relay is ended by closing it, and by nothing else
            return e;
        }
    }

    /** The next one, after a pause; null when the relay was closed meanwhile. */
    private @Nullable RelayLoop successor(RelayLoop failed, Throwable failure) {
        loop = null;
        Throwable cause = failure;
        while (true) {
            try {
                Restart restart = restarts.note(cause, clock.nanos());
                Duration pause = Restarts.pauseAfter(restart);
                tell(restart, cause, pause);
                if (isStoppedWithin(pause) || !hasEnded(failed)) {
                    return null;
                }
                return begin(restart);
            } catch (Throwable e) { // no memory for another thread, or for the log: after the next pause, perhaps
                cause = e;
            }
        }
    }

    private void tell(Restart restart, Throwable cause, Duration pause) {
        try {
            LOG.error(
                    "OUTBOX_WORKER_CRASH relay={} times={} pauseMs={} why=\"{}\" a part of the relay failed, its lanes are"
                            + " left to their lease, and it begins anew: please report this",
                    plan.conduct().name(),
                    restart.times(),
                    pause.toMillis(),
                    Clean.text(restart.why()),
                    cause);
        } finally {
            listeners.crashed(cause, pause);
        }
    }

    /** Whether nothing is left of it. A desk that hangs is waited for, or each new start would leave one more behind. */
    private boolean hasEnded(RelayLoop failed) throws InterruptedException {
        boolean said = false;
        while (!failed.hasEndedWithin(RelayLoop.GRACE)) {
            if (!isWanted()) {
                return false;
            }
            if (!said) {
                said = true;
                LOG.warn(
                        "OUTBOX_WORKER_HANGS relay={} why=\"a thread of the relay that failed does not end; it begins anew"
                                + " when that thread has\"",
                        plan.conduct().name());
            }
        }
        return true;
    }

    private synchronized @Nullable RelayLoop begin(Restart restart) {
        if (!isWanted()) {
            return null;
        }
        RelayLoop next = new RelayLoop(plan, clock, log, listeners);
        next.succeeds(restart);
        restarts.began(clock.nanos());
        loop = next;
        return next;
    }

    private boolean isWanted() {
        return stopping.getCount() > 0;
    }

    private boolean isStoppedWithin(Duration pause) throws InterruptedException {
        return stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Ends the engine that runs now, because a part of the relay beside it failed. */
    void fail(RelayFailure cause) {
        RelayLoop current = loop;
        if (current != null) {
            current.fail(cause);
        }
    }

    void wake(CommitHint hint) {
        RelayLoop current = loop;
        if (current != null) {
            current.wake(hint);
        }
    }

    /** Whether an engine turns; not during the pause after one failed. */
    boolean isRunning() {
        RelayLoop current = loop;
        return isWanted() && thread.isAlive() && current != null && current.isTurning();
    }

    /** Its latest failure, unless it has been well for a while since. */
    Optional<RelayReport.Restart> lastRestart() {
        long now = clock.nanos();
        return Optional.ofNullable(restarts.recent(now))
                .map(restart -> new RelayReport.Restart(restart.times(), restart.secondsAgo(now), restart.why()));
    }

    /** Whether this call was the one that stopped it; any other finds nothing left to do. */
    boolean stop() {
        RelayLoop current;
        synchronized (this) {
            if (!isWanted()) {
                return false;
            }
            stopping.countDown();
            current = loop;
        }
        if (current != null) {
            current.stop();
        }
        if (!hasEndedWithin(plan.conduct().stopTimeout())) {
            LOG.warn(
                    "OUTBOX_WORKER_STOP_TIMEOUT relay={} after={}ms why=\"what is not settled is left to its lease\"",
                    plan.conduct().name(),
                    plan.conduct().stopTimeout().toMillis());
            if (current != null) {
                current.abandon();
            }
            hasEndedWithin(GRACE);
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
