package dev.postroom.rabbitmq;

import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the connection and the thread that makes it, writes to it, and makes it again. While there is none, messages are
 * answered at once; only before the first try they wait for it, so that a relay does not begin with a failure.
 */
final class Publisher {
    /** Messages without an answer, waiting ones included. */
    static final int CAPACITY = 4_096;

    private static final Logger LOG = LoggerFactory.getLogger(RabbitMq.class);
    private static final long CLOSE_MILLIS = 2_500;
    /** Nothing depends on it: every change wakes the thread. */
    private static final long WAIT_MILLIS = 1_000;

    private final RabbitMqSettings settings;
    private final Thread thread = new Thread(this::run, "postroom-rabbitmq-writer");
    private final Watch watch = new Watch(this::check);
    private final AtomicInteger unanswered = new AtomicInteger();
    private final Backoff backoff = new Backoff();
    private volatile @Nullable Session session;

    // Guarded by this.
    private final Deque<Parcel> waiting = new ArrayDeque<>();
    private @Nullable Outcome down;
    private @Nullable Wire wire;
    private boolean closed;

    Publisher(RabbitMqSettings settings) {
        this.settings = settings;
        thread.setDaemon(true);
        thread.start();
    }

    /** Takes the message, or answers why not. Never blocks. */
    void send(Delivery delivery, Consumer<Outcome> outcome) {
        int before = unanswered.getAndIncrement();
        Parcel parcel = new Parcel(delivery, outcome, unanswered::decrementAndGet);
        Outcome refusal = before >= CAPACITY
                ? Outcome.unavailable("RabbitMQ owes " + before + " answers: it takes no more until it gives some")
                : take(parcel);
        if (refusal != null) {
            parcel.answer(refusal);
        }
    }

    private @Nullable Outcome take(Parcel parcel) {
        Session current = session;
        String blocked = current == null ? null : current.blocked();
        if (blocked != null) {
            return Failures.blocked(blocked);
        }
        synchronized (this) {
            if (closed) {
                return closedOutcome();
            }
            if (down == null) {
                waiting.addLast(parcel);
                notifyAll();
            }
            return down;
        }
    }

    private static Outcome closedOutcome() {
        return Outcome.notSent("the transport to RabbitMQ is closed");
    }

    private void run() {
        while (awaitTurn(backoff.next())) {
            try {
                Session current = connect();
                if (current != null) {
                    use(current);
                }
            } catch (Throwable e) { // also an Error must not end the only thread that answers
                LOG.error("cannot publish to {}, beginning anew", settings.address(), e);
                refuseAll(Outcome.unavailable("publishing to RabbitMQ failed: " + e));
            }
        }
        refuseAll(closedOutcome());
    }

    private void use(Session current) {
        try {
            write(current);
            LOG.info("connection to {} ended", settings.address());
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "connection to {} broke: {}",
                    settings.address(),
                    settings.secrets().hide(e.toString()));
        } finally {
            refuseAll(Outcome.unavailable("the connection to RabbitMQ has ended and is being made again"));
            session = null;
            current.end(Outcome.interrupted("the connection to RabbitMQ ended before it confirmed"));
            if (current.hasConfirmed()) {
                backoff.reset();
            }
        }
    }

    /** Waits before the next try; false when there will be none. */
    private synchronized boolean awaitTurn(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            long left = millis;
            while (!closed && left > 0) {
                wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            }
        } catch (InterruptedException e) {
            closed = true; // nobody interrupts this thread, unless to end it
        }
        return !closed;
    }

    private @Nullable Session connect() {
        Wire next = new Wire();
        synchronized (this) {
            if (closed) {
                return null;
            }
            wire = next;
        }
        try {
            Session current = Session.open(settings, next, this::wake);
            LOG.info("connected to {}", settings.address());
            session = current;
            synchronized (this) {
                down = null;
            }
            return current;
        } catch (IOException | TimeoutException | GeneralSecurityException | RuntimeException e) {
            next.cut();
            refused(e);
            return null;
        }
    }

    private void refused(Exception e) {
        String why = settings.secrets().hide(Failures.why(e));
        boolean isNew;
        synchronized (this) {
            isNew = !(down instanceof Outcome.Failed before) || !before.error().equals(why);
        }
        if (isNew) {
            LOG.warn("no connection to {}, trying again: {}", settings.address(), why);
        }
        refuseAll(Outcome.unavailable(why));
    }

    /** From here on this is the answer, also to what waits. */
    private void refuseAll(Outcome outcome) {
        List<Parcel> refused;
        synchronized (this) {
            down = outcome;
            refused = new ArrayList<>(waiting);
            waiting.clear();
        }
        refused.forEach(parcel -> parcel.answer(outcome));
    }

    /** Writes until the session ends or is to be ended. */
    private void write(Session current) throws IOException {
        List<Parcel> batch = new ArrayList<>();
        while (awaitWork(current, batch)) {
            for (int i = 0; i < batch.size(); i++) {
                try {
                    current.publish(batch.get(i));
                } catch (Throwable e) { // whatever it is, each is owed an answer
                    Outcome outcome = Failures.cannotConnect(e);
                    batch.subList(i, batch.size()).forEach(parcel -> parcel.answer(outcome));
                    throw e;
                }
            }
            batch.clear();
        }
    }

    private synchronized boolean awaitWork(Session current, List<Parcel> batch) {
        try {
            while (!closed && waiting.isEmpty() && current.isOpen()) {
                wait(WAIT_MILLIS);
            }
        } catch (InterruptedException e) {
            closed = true; // nobody interrupts this thread, unless to end it
        }
        if (closed || !current.isOpen()) {
            return false;
        }
        batch.addAll(waiting);
        waiting.clear();
        return true;
    }

    private synchronized void wake() {
        notifyAll();
    }

    private void check() {
        Session current = session;
        if (current != null) {
            current.check(System.nanoTime());
        }
    }

    /** Answers whatever has no answer yet; takes a few seconds at most. */
    void close() {
        Wire used;
        synchronized (this) {
            closed = true;
            used = wire;
            notifyAll();
        }
        watch.close();
        join();
        if (thread.isAlive() && used != null) {
            used.cut(); // it was writing or connecting, and the other side does not move
            join();
        }
        refuseAll(closedOutcome());
    }

    private void join() {
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
