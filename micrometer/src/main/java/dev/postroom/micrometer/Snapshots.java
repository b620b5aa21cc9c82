package dev.postroom.micrometer;

import dev.postroom.operations.Gauges;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One answer of the database for all gauges. Whoever looks when it is older than the interval has it asked again, on a thread
 * of its own, by one question at a time; waits for the answer a moment, so that what is shown is fresh; and else shows the
 * last one. So a database that is slow or gone delays nobody who only wants to see that it is. Thread-safe.
 */
final class Snapshots implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PostroomMetrics.class);

    private final Supplier<Gauges> source;
    private final Freshness freshness;
    private final DatabaseClock clock;
    private final LongSupplier nanos;
    private final ThreadPoolExecutor thread;
    private final AtomicLong failures = new AtomicLong();
    private volatile @Nullable Taken last;
    private @Nullable Future<?> asking;
    private long askedAt;
    private boolean asked;
    private boolean failing;

    private record Taken(Gauges gauges, long nanos) {}

    Snapshots(Supplier<Gauges> source, Freshness freshness, DatabaseClock clock) {
        this(source, freshness, clock, System::nanoTime);
    }

    Snapshots(Supplier<Gauges> source, Freshness freshness, DatabaseClock clock, LongSupplier nanos) {
        this.source = source;
        this.freshness = freshness;
        this.clock = clock;
        this.nanos = nanos;
        this.thread = new ThreadPoolExecutor(1, 1, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(1), work -> {
            Thread worker = new Thread(work, "postroom-metrics");
            worker.setDaemon(true);
            return worker;
        });
        thread.allowCoreThreadTimeOut(true);
    }

    /** The latest answer, or null when there is none that is worth anything. */
    @Nullable
    Gauges current() {
        Future<?> mine = askIfDue();
        if (mine != null) {
            waitAMoment(mine);
        }
        Taken taken = last;
        return taken == null || age(taken) > freshness.staleAfter().toNanos() ? null : taken.gauges();
    }

    /** How old the latest answer is, in seconds, also when it is worth nothing any more. */
    double ageSeconds() {
        current(); // whichever gauge is read first, all of them show the same answer
        Taken taken = last;
        return taken == null ? Double.NaN : age(taken) / 1e9;
    }

    /** How often the database gave no answer. */
    long failures() {
        return failures.get();
    }

    double clockOffsetSeconds() {
        return last == null ? Double.NaN : clock.offsetSeconds();
    }

    private long age(Taken taken) {
        return nanos.getAsLong() - taken.nanos();
    }

    private synchronized @Nullable Future<?> askIfDue() {
        boolean busy = asking != null && !asking.isDone();
        if (busy
                || thread.isShutdown()
                || (asked && nanos.getAsLong() - askedAt < freshness.interval().toNanos())) {
            return null;
        }
        asked = true;
        askedAt = nanos.getAsLong();
        asking = thread.submit(this::ask);
        return asking;
    }

    private void ask() {
        try {
            Instant before = clock.localNow();
            long asking = nanos.getAsLong();
            Gauges gauges = source.get();
            clock.compare(before, gauges.at(), clock.localNow());
            last = new Taken(gauges, asking);
            if (failing) {
                failing = false;
                LOG.info("OUTBOX_METRICS_RESUMED why=\"the database answers again\"");
            }
        } catch (RuntimeException e) {
            failures.incrementAndGet();
            if (!failing) {
                failing = true;
                LOG.warn("OUTBOX_METRICS_FAIL why=\"the database does not say how the outbox stands\"", e);
            }
        }
    }

    private void waitAMoment(Future<?> answer) {
        try {
            answer.get(freshness.patience().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException e) {
            // Shown is what is known; the next look finds the answer.
        }
    }

    @Override
    public void close() {
        ExecutorService ending = thread;
        ending.shutdownNow();
        try {
            ending.awaitTermination(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
