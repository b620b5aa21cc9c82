package dev.postroom.benchmark.peers;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.ThreadLocalContextTransactionManager;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * gruelbox transaction-outbox: a flush takes a batch of due entries, workers handle each in a transaction of its own. No order
 * in this version.
 */
public final class GruelboxPeer implements Peer {
    private static final int WORKERS = 20;

    /** As its own default executor has. */
    private static final int QUEUE = 16_384;

    private static final long IDLE_MILLIS = 10;

    private final ThreadLocalContextTransactionManager transactions;
    private final TransactionOutbox writer;
    private final ThreadPoolExecutor workers = new ThreadPoolExecutor(
            WORKERS, WORKERS, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(QUEUE), GruelboxPeer::waitForRoom);
    private @Nullable Thread flusher;
    private volatile boolean closed;

    /** What is called later. */
    public interface Destination {
        void handle(String payload);
    }

    private record Handing(Consumer<String> handler) implements Destination {
        @Override
        public void handle(String payload) {
            handler.accept(payload);
        }
    }

    public GruelboxPeer(DataSource database) {
        this.transactions = TransactionManager.fromDataSource(database);
        // It would handle them right after the commit. A backlog is what nobody could handle then, and is due by now.
        this.writer = outbox((entry, now) -> {}, Duration.ofHours(-1), payload -> {});
    }

    private TransactionOutbox outbox(Submitter submitter, Duration ahead, Consumer<String> handler) {
        Clock clock = Clock.offset(InstantSource.system().withZone(ZoneOffset.UTC), ahead);
        Destination destination = new Handing(handler);
        return TransactionOutbox.builder()
                .transactionManager(transactions)
                .persistor(Persistor.forDialect(Dialect.POSTGRESQL_9))
                .instantiator(Instantiator.using(type -> destination))
                .submitter(submitter)
                .clockProvider(() -> clock)
                .serializeMdc(false)
                .build();
    }

    @Override
    public void publish(List<Order> orders) {
        transactions.inTransaction(() -> {
            Destination destination = writer.schedule(Destination.class);
            orders.forEach(order -> destination.handle(order.payload()));
        });
    }

    /** Its authors say to flush in a loop when the executor may make it wait. */
    @Override
    public void deliver(Consumer<String> handler) {
        TransactionOutbox outbox = outbox(Submitter.withExecutor(workers), Duration.ZERO, handler);
        Thread thread = new Thread(() -> flush(outbox), "gruelbox-flush");
        thread.setDaemon(true);
        thread.start();
        flusher = thread;
    }

    private void flush(TransactionOutbox outbox) {
        try {
            while (!closed) {
                if (!outbox.flush()) {
                    Thread.sleep(IDLE_MILLIS); // nothing is due, and nobody says when something is
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void waitForRoom(Runnable task, ThreadPoolExecutor pool) {
        try {
            pool.getQueue().put(task);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RejectedExecutionException("interrupted", e);
        }
    }

    @Override
    public String backlogQuery() {
        return "SELECT count(*) FROM txno_outbox";
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        Thread thread = flusher;
        if (thread != null) {
            thread.join(10_000);
        }
        workers.shutdown();
        if (!workers.awaitTermination(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("gruelbox's workers did not end in 30 s");
        }
    }
}
