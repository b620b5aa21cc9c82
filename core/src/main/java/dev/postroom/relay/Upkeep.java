package dev.postroom.relay;

import dev.postroom.operations.Maintenance;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes room in the archive and forgets what is old, in small steps, on a thread of its own. What the database refuses is
 * logged and tried again; anything else that it throws is told to {@code onFailure}, and tried again in the next pass.
 */
final class Upkeep implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);
    private static final Duration INTERVAL = Duration.ofMinutes(10);
    private static final Duration BREATH = Duration.ofMillis(50);
    private static final Duration GRACE = Duration.ofSeconds(1);
    /** Each start is a relay of its own, so one that crashes in a loop leaves hundreds a day; long enough to see them. */
    private static final Duration GONE = Duration.ofDays(1);

    /** A version that is rolled back to after so long counts as new; joined destinations are told for much shorter. */
    private static final Duration OUT_OF_FORCE = Duration.ofDays(30);

    private static final int ROUTINGS = 100;

    private static final int STEP = 1_000;
    /** So that one pass ends; the next goes on. */
    private static final int MOST_STEPS = 1_000;

    private final Maintenance maintenance;
    private final Retention retention;
    private final Consumer<RelayFailure> onFailure;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    Upkeep(String relay, Maintenance maintenance, Retention retention, Consumer<RelayFailure> onFailure) {
        this.maintenance = maintenance;
        this.retention = retention;
        this.onFailure = onFailure;
        this.thread = new Thread(this::run, "postroom-relay-" + relay + "-upkeep");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        while (closed.getCount() > 0) {
            try {
                pass();
            } catch (Throwable e) { // also an interrupt: the thread lives until it is closed
                onFailure.accept(new RelayFailure("its upkeep failed: " + Errors.withClass(e), e));
            }
            rest();
        }
    }

    private void rest() {
        try {
            isClosedWithin(jittered(INTERVAL));
        } catch (InterruptedException e) {
            // the next pass comes early
        }
    }

    private void pass() throws InterruptedException {
        attempt("prepare the archive", () -> {
            maintenance.prepareArchive();
            return 0;
        });
        attempt("purge the archive", () -> maintenance.purgeArchive(retention.archived(), STEP));
        attempt("purge idempotency keys", () -> maintenance.purgeDedup(STEP));
        attempt("purge failed attempts", () -> maintenance.purgeAttempts(retention.attempts(), STEP));
        attempt("forget relays that died", () -> maintenance.purgeNodes(GONE, STEP));
        attempt("forget old routings", () -> maintenance.purgeRoutings(OUT_OF_FORCE, ROUTINGS));
        attempt("purge the inbox", () -> maintenance.purgeInbox(retention.inbox(), STEP));
        attempt("purge the audit", () -> maintenance.purgeAudit(retention.audit(), STEP));
    }

    /** Steps until there is nothing left, with a pause after each, so that users of the database hardly notice. */
    private void attempt(String what, LongSupplier step) throws InterruptedException {
        try {
            long total = 0;
            long done = 1;
            for (int i = 0; i < MOST_STEPS && done > 0; i++) {
                done = step.getAsLong();
                total += done;
                if (isClosedWithin(done > 0 ? BREATH : Duration.ZERO)) {
                    return;
                }
            }
            if (total > 0) {
                LOG.info("OUTBOX_UPKEEP task=\"{}\" rows={}", what, total);
            }
        } catch (RuntimeException e) {
            LOG.warn("OUTBOX_UPKEEP_FAIL task=\"{}\" error=\"{}\"", what, Clean.text(Errors.describe(e)));
        }
    }

    private boolean isClosedWithin(Duration pause) throws InterruptedException {
        return closed.await(pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** A fifth more or less, so that the relays of a deployment do not all purge at the same time. */
    private static Duration jittered(Duration interval) {
        return Duration.ofNanos(
                (long) (interval.toNanos() * ThreadLocalRandom.current().nextDouble(0.8, 1.2)));
    }

    boolean isAlive() {
        return thread.isAlive();
    }

    /** Asks it to end after the step it is in; returns at once. */
    @Override
    public void close() {
        closed.countDown();
    }

    /** Waits a little for that step, so that its connection is back in the pool before somebody closes that. */
    void awaitEnd() {
        try {
            thread.join(GRACE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
