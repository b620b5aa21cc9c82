package dev.postroom.kafka;

import dev.postroom.inbox.Reception;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a consumer in its group, on a thread of its own. Whatever the client cannot recover from ends it; a new one follows. */
final class InboxLoop {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaInbox.class);
    private static final long PAUSE_MILLIS = 1_000;
    /** For the client to leave its group after the handler has finished. */
    private static final long GRACE_MILLIS = 5_000;
    /** For the brokers to be there, and the group to agree, when the consumer starts. */
    private static final Duration START_PATIENCE = Duration.ofSeconds(10);

    private final InboxSettings settings;
    private final Reception reception;
    private final Thread thread;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch placed = new CountDownLatch(1);
    private @Nullable String lastTrouble;

    InboxLoop(InboxSettings settings, Reception reception) {
        this.settings = settings;
        this.reception = reception;
        this.thread = new Thread(this::run, "postroom-inbox-" + settings.group());
        thread.setDaemon(true);
    }

    /** Returns when it has its partitions and its place in them, or after a while without. */
    void start() {
        thread.start();
        try {
            if (!placed.await(START_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn(
                        "INBOX_NOT_ASSIGNED consumer={} group={} why=\"no partitions were assigned within {} s: it goes on"
                                + " trying\"",
                        reception.consumer(),
                        settings.group(),
                        START_PATIENCE.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            do {
                consume();
            } while (!stop.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException | InterruptException e) {
            LOG.debug("interrupted, which is what close does when it has waited long enough");
        }
    }

    private void consume() {
        try (InboxSession session = new InboxSession(settings, reception, stop)) {
            session.run(placed::countDown);
            lastTrouble = null;
        } catch (InterruptException e) {
            throw e;
        } catch (RuntimeException | Error e) { // this thread ends when the consumer is closed, and not before
            report(settings.secrets().hide(Failures.text(e)));
        }
    }

    /** The first of a kind: a broker that is down for a day is one line. */
    private void report(String trouble) {
        if (!trouble.equals(lastTrouble)) {
            LOG.warn(
                    "INBOX_DISCONNECTED consumer={} group={} error=\"{}\"",
                    reception.consumer(),
                    settings.group(),
                    trouble.replaceAll("\\p{Cntrl}", " "));
            lastTrouble = trouble;
        }
    }

    void close() {
        stop.countDown();
        try {
            thread.join(settings.stopTimeout().toMillis());
            if (thread.isAlive()) {
                thread.interrupt();
                thread.join(GRACE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
