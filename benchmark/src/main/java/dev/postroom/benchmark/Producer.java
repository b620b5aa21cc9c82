package dev.postroom.benchmark;

import dev.postroom.outbox.Outbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** A thread that writes batches as fast as it can until it is stopped. */
final class Producer extends Thread {
    private static final int BATCH = 100;

    private final Outbox outbox;
    private final DataSource dataSource;
    private final Workload workload;
    private final AtomicLong written;
    private final AtomicBoolean stop;
    private Duration pause = Duration.ZERO;

    Producer(int number, Outbox outbox, DataSource dataSource, AtomicLong written, AtomicBoolean stop) {
        super("bench-producer-" + number);
        this.outbox = outbox;
        this.dataSource = dataSource;
        this.workload = new Workload(number);
        this.written = written;
        this.stop = stop;
    }

    /** Rests so long after each batch, instead of writing as fast as it can. */
    Producer every(Duration newPause) {
        pause = newPause;
        return this;
    }

    @Override
    public void run() {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            while (!stop.get()) {
                outbox.publishAll(connection, workload.batch(BATCH));
                connection.commit();
                written.addAndGet(BATCH);
                if (!pause.isZero()) {
                    Thread.sleep(pause.toMillis()); // the rate that was asked for
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the producer failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
