package dev.postroom.kafka;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Lets a producer learn about topics, which blocks for as long as the broker does not know them. */
final class TopicLookup implements AutoCloseable {
    private static final int THREADS = 4;

    private final BlockingQueue<Runnable> results;
    private final ThreadPoolExecutor threads;

    /** @param results where what follows from a result is put, to be run by its owner */
    TopicLookup(BlockingQueue<Runnable> results) {
        this.results = results;
        this.threads = new ThreadPoolExecutor(
                THREADS, THREADS, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), (@Nullable Runnable work) -> {
                    Thread thread = new Thread(work, "postroom-kafka-topics");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** @param result gets null when the topic is known now */
    void find(String topic, Session session, Consumer<@Nullable Exception> result) {
        try {
            threads.execute(() -> {
                Exception error = lookUp(topic, session);
                results.add(() -> result.accept(error));
            });
        } catch (RejectedExecutionException e) {
            // Closed, which answers for everything.
        }
    }

    private static @Nullable Exception lookUp(String topic, Session session) {
        try {
            session.producer().partitionsFor(topic);
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
