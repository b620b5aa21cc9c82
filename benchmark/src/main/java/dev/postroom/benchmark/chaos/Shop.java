package dev.postroom.benchmark.chaos;

import com.zaxxer.hikari.HikariDataSource;
import dev.postroom.Message;
import dev.postroom.PostroomException;
import dev.postroom.outbox.Outbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Writes orders, and a message about each in the same transaction: under the key of its customer, and one of several topics. Some are rolled back. Where the answer to a commit got
 * lost it does not know what it has written, and does not ask: the table tells in the end.
 */
final class Shop extends Thread {
    static final int CUSTOMERS = 40;
    /** A customer's orders are in order over all of them. */
    private static final List<String> TOPICS =
            List.of("chaos.placed", "chaos.paid", "chaos.shipped", "chaos.cancelled");

    private static final int ORDERS_AT_ONCE = 5;
    private static final int ROLLED_BACK_PERCENT = 10;
    private static final long PAUSE_MILLIS = 20;
    private static final int LONGEST_TRANSACTION_MILLIS = 200;

    private final HikariDataSource pool;
    private final Outbox outbox;
    private final SplittableRandom random;
    private final int first;
    private final long[] numbers = new long[CUSTOMERS];
    private volatile boolean closed;

    /** @param number of so many shops; each has customers of its own */
    Shop(HikariDataSource pool, Outbox outbox, SplittableRandom random, int number) {
        super("chaos-shop-" + number);
        this.pool = pool;
        this.outbox = outbox;
        this.random = random;
        this.first = number * CUSTOMERS;
        setDaemon(true);
    }

    @Override
    public void run() {
        try {
            while (!closed) {
                try (Connection connection = pool.getConnection()) {
                    sell(connection);
                } catch (SQLException | PostroomException e) {
                    // The database is away, or the answer: the next order comes all the same.
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void sell(Connection connection) throws SQLException, InterruptedException {
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO shop_order VALUES (?, ?)")) {
            for (int i = 0; i < ORDERS_AT_ONCE; i++) {
                int customer = random.nextInt(CUSTOMERS);
                long number = ++numbers[customer];
                insert.setInt(1, first + customer);
                insert.setLong(2, number);
                insert.executeUpdate();
                outbox.publish(
                        connection,
                        Message.to(TOPICS.get(random.nextInt(TOPICS.size())))
                                .key("customer-" + (first + customer))
                                .text("text/plain", new Order(first + customer, number).text()));
            }
        }
        if (random.nextInt(20) == 0) {
            Thread.sleep(random.nextInt(LONGEST_TRANSACTION_MILLIS)); // others commit higher numbers meanwhile
        }
        if (random.nextInt(100) < ROLLED_BACK_PERCENT) {
            connection.rollback();
        } else {
            connection.commit();
        }
    }

    void close() throws InterruptedException {
        closed = true;
        join(30_000);
    }
}
