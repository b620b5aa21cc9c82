package dev.postroom.rabbitmq;

import dev.postroom.inbox.Reception;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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

    private final InboxSettings settings;
    private final Reception reception;
    private final Thread thread;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Backoff backoff = new Backoff();
    private @Nullable String lastTrouble;

    InboxLoop(InboxSettings settings, Reception reception) {
        this.settings = settings;
        this.reception = reception;
        this.thread = new Thread(this::run, "postroom-inbox-" + settings.queue());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
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
        try (InboxSession session = InboxSession.open(settings, reception, stop)) {
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
        } catch (Exception e) {
            report(Failures.why(e));
        }
    }

    /** The first of a kind: a broker that is down for a day is one line. */
    private void report(String trouble) {
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
