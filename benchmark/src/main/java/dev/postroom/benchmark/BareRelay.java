package dev.postroom.benchmark;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * The least that any outbox must do to deliver to a broker: one thread reads rows and gives them to the broker's client,
 * another deletes them when they are confirmed. It knows no order, no failures, no second relay and no crash.
 */
final class BareRelay {
    /** Pages that wait for their confirms. */
    private static final int PAGES = 8;

    private final BlockingQueue<Page> published = new ArrayBlockingQueue<>(PAGES);
    private final RawLoop reading;
    private final RawLoop deleting;
    private final BareClient client;
    private final int messages;

    private record Page(List<Long> seqs, CountDownLatch unconfirmed) {}

    private BareRelay(RawLoop reading, RawLoop deleting, BareClient client, int messages) {
        this.reading = reading;
        this.deleting = deleting;
        this.client = client;
        this.messages = messages;
    }

    /** Messages per second from a table that was filled with so many. */
    static double rate(DataSource dataSource, RawLoop filled, BareClient client, int messages) throws Exception {
        try (RawLoop deleting = new RawLoop(dataSource)) {
            return new BareRelay(filled, deleting, client, messages).rate();
        }
    }

    private double rate() throws Exception {
        long start = System.nanoTime();
        CompletableFuture<Void> deleted = CompletableFuture.runAsync(this::delete);
        for (List<RawLoop.Row> rows = reading.read(); !rows.isEmpty(); rows = reading.read()) {
            CountDownLatch unconfirmed = new CountDownLatch(rows.size());
            for (RawLoop.Row row : rows) {
                client.publish(row.key(), row.payload(), unconfirmed::countDown);
            }
            Page page = new Page(rows.stream().map(RawLoop.Row::seq).toList(), unconfirmed);
            if (!published.offer(page, BareClient.PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("nothing is deleted any more: this must never be");
            }
        }
        try {
            deleted.get(BareClient.PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("cannot delete what was confirmed", e.getCause());
        }
        return messages * 1e9 / (System.nanoTime() - start);
    }

    private void delete() {
        try {
            int left = messages;
            while (left > 0) {
                Page page = published.poll(BareClient.PATIENCE_SECONDS, TimeUnit.SECONDS);
                if (page == null || !page.unconfirmed().await(BareClient.PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("the broker did not confirm everything: this must never be");
                }
                deleting.delete(page.seqs());
                left -= page.seqs().size();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
