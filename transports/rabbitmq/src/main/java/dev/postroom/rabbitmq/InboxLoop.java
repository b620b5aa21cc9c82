package dev.postroom.rabbitmq;

import dev.postroom.PostroomException;
import dev.postroom.inbox.Reception;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a consumer connected, on a thread of its own. There is one answer to every trouble with the broker: end the connection
 * and begin anew. Whatever was not acknowledged then comes again, and the inbox knows what of it is done.
 */
final class InboxLoop {
    private static final Logger LOG = LoggerFactory.getLogger(RabbitMqInbox.class);
    /** For the thread to end after its session has. */
    private static final long GRACE_MILLIS = 5_000;
    /** For the broker to be there when the consumer starts. */
    private static final Duration START_PATIENCE = Duration.ofSeconds(10);

    private final InboxSettings settings;
    private final Reception reception;
    private final Thread thread;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch bound = new CountDownLatch(1);
    private final Backoff backoff = new Backoff();
    private final AtomicReference<@Nullable QueueTraits> known = new AtomicReference<>();
    private @Nullable String lastTrouble;

    InboxLoop(InboxSettings settings, Reception reception) {
        this.settings = settings;
        this.reception = reception;
        this.thread = new Thread(this::run, "postroom-inbox-" + settings.queue());
        thread.setDaemon(true);
    }

    /** Returns when the queue is bound, so that what is published from here on arrives, or after a while without. */
    void start() {
        thread.start();
        try {
            if (!bound.await(START_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn(
                        "INBOX_NOT_BOUND consumer={} queue={} broker={} why=\"not reached within {} s: the queue is bound when"
                                + " it is, and gets nothing that is published before, unless it was bound already\"",
                        reception.consumer(),
                        settings.queue(),
                        settings.broker().address(),
                        START_PATIENCE.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!stop.await(backoff.next(), TimeUnit.MILLISECONDS)) {
                consume();
            }
        } catch (InterruptedException e) {
            LOG.debug("interrupted, which is what close does when it has waited long enough");
        }
    }

    private void consume() throws InterruptedException {
        try (InboxSession session = InboxSession.open(settings, reception, known, stop)) {
            bound.countDown();
            LOG.info(
                    "INBOX_CONNECTED consumer={} queue={} broker={}",
                    reception.consumer(),
                    settings.queue(),
                    settings.broker().address());
            lastTrouble = null;
            String trouble = session.awaitEnd();
            if (session.hasSettled()) {
                backoff.reset();
            }
            if (trouble != null) {
                report(trouble);
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (PostroomException e) { // the queue is of no use
            report(String.valueOf(e.getMessage()));
        } catch (Throwable e) { // also an Error: this thread ends when the consumer is closed, and not before
            report(e instanceof Exception trouble ? Failures.why(trouble) : e.toString());
        }
    }

    /** The first of a kind: a broker that is down for a day is one line. */
    private void report(String told) {
        String trouble = settings.broker().secrets().hide(told);
        if (!trouble.equals(lastTrouble)) {
            LOG.warn(
                    "INBOX_DISCONNECTED consumer={} queue={} broker={} error=\"{}\"",
                    reception.consumer(),
                    settings.queue(),
                    settings.broker().address(),
                    trouble.replaceAll("\\p{Cntrl}", " "));
            lastTrouble = trouble;
        }
    }

    void close() {
        stop.countDown();
        try {
            thread.join(settings.stopTimeout().toMillis() + GRACE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt(); // it may be waiting for a broker that does not answer
    }
}
