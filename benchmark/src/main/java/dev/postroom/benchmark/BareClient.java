package dev.postroom.benchmark;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A broker's own client with confirms, and nothing of ours around it. */
interface BareClient extends AutoCloseable {
    /** What it may have outstanding. */
    int WINDOW = 4_096;

    int PATIENCE_SECONDS = 60;

    /**
     * Gives the client one message.
     *
     * @param confirmed called on a thread of the client's; never when the broker refuses, so whoever waits gives up
     */
    void publish(String key, byte[] payload, Runnable confirmed) throws Exception;

    /** Messages per second that it publishes and has confirmed, as fast as it can. */
    default double rate(int messages, byte[] payload) throws Exception {
        Semaphore window = new Semaphore(WINDOW);
        long start = System.nanoTime();
        for (int i = 0; i < messages; i++) {
            if (!window.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the broker stopped confirming: this must never be");
            }
            publish("order-" + i % 10_000, payload, window::release);
        }
        if (!window.tryAcquire(WINDOW, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the broker did not confirm everything: this must never be");
        }
        return messages * 1e9 / (System.nanoTime() - start);
    }
}
