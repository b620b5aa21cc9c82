package dev.postroom.server.demo;

import dev.postroom.DatabaseException;
import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.outbox.CommitHint;
import dev.postroom.outbox.Outbox;
import dev.postroom.relay.Relay;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Orders are placed, paid and shipped at a steady rate; each step is saved together with its message, and some are called off again. The
 * steps of an order have a topic each and its number as the key, so that they go out in order.
 */
final class Shop implements AutoCloseable {
    /** Where an order's message goes, by its topic; the routes of the demo. */
    static final Map<String, List<String>> ROUTES = Map.of(
            "orders.placed", List.of("warehouse", "billing"),
            "orders.paid", List.of("billing"),
            "orders.shipped", List.of("warehouse"),
            "orders.resold", List.of("partner"),
            "newsletter.subscribed", List.of("mailer"));

    private static final List<String> STEPS = List.of("orders.placed", "orders.paid", "orders.shipped");
    private static final List<String> TENANTS = List.of("", "acme", "globex");
    private static final int CUSTOMERS = 40;
    private static final int OPEN_ORDERS = 40;

    private final DataSource dataSource;
    private final Relay relay;
    private final Outbox outbox;
    private final double rate;
    private final Random random = new Random();
    private final List<OpenOrder> open = new ArrayList<>();
    private long numbered;
    private final AtomicLong saved = new AtomicLong();
    private final AtomicLong calledOff = new AtomicLong();
    private final Thread thread = new Thread(this::run, "demo-shop");
    private volatile boolean closed;
    private volatile @Nullable DatabaseException failure;

    /** @param rate orders per second */
    Shop(DataSource dataSource, Relay relay, double rate) {
        this.dataSource = dataSource;
        this.relay = relay;
        this.outbox = relay.outbox();
        this.rate = rate;
    }

    /** Whether later messages of its stream go on when one fails. */
    static boolean mayOvertake(String topic) {
        return topic.startsWith("newsletter.");
    }

    void open() {
        thread.setDaemon(true);
        thread.start();
    }

    /** Committed so far. */
    long saved() {
        return saved.get();
    }

    /** Rolled back so far. */
    long calledOff() {
        return calledOff.get();
    }

    private void run() {
        long begun = System.nanoTime();
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            for (long n = 1; !closed; n++) {
                placeOne(connection);
                long ahead = begun + (long) (n * 1e9 / rate) - System.nanoTime();
                if (ahead > 0) {
                    TimeUnit.NANOSECONDS.sleep(ahead);
                }
            }
        } catch (SQLException e) {
            failure = new DatabaseException("cannot save an order: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** An order that is not shipped yet, and how many of its steps are saved. */
    private static final class OpenOrder {
        private final String tenant;
        private final String key;
        private int steps;

        OpenOrder(String tenant, String key) {
            this.tenant = tenant;
            this.key = key;
        }
    }

    /** What every user of an outbox does: data and message in one transaction, then commit, or neither. */
    private void placeOne(Connection connection) throws SQLException {
        if (random.nextInt(10) == 0) {
            publish(
                    connection,
                    new Order.Place(any(TENANTS), "newsletter.subscribed", "customer-" + random.nextInt(CUSTOMERS)));
            return;
        }
        OpenOrder order = anyOpen();
        String topic = order.steps == 2 && random.nextInt(4) == 0 ? "orders.resold" : STEPS.get(order.steps);
        if (publish(connection, new Order.Place(order.tenant, topic, order.key)) && ++order.steps == STEPS.size()) {
            open.remove(order);
        }
    }

    private OpenOrder anyOpen() {
        if (open.size() < OPEN_ORDERS) {
            open.add(new OpenOrder(any(TENANTS), "order-" + ++numbered));
        }
        return open.get(random.nextInt(open.size()));
    }

    /** Whether it was committed. */
    private boolean publish(Connection connection, Order.Place place) throws SQLException {
        boolean delayed = random.nextInt(20) == 0;
        Message message = Message.to(place.topic())
                .tenant(place.tenant())
                .key(place.key())
                .json(Map.of("order", place.key(), "items", 1 + random.nextInt(5)));
        Message timed = delayed ? message.deliverAfter(Duration.ofMillis(500 + random.nextInt(1_500))) : message;
        Published published = outbox.publish(connection, timed);
        save(connection, published.id(), place, delayed);
        if (random.nextInt(25) == 0) {
            connection.rollback();
            calledOff.incrementAndGet();
            return false;
        }
        connection.commit();
        saved.incrementAndGet();
        relay.wake(new CommitHint(published.lane(), published.seq()));
        return true;
    }

    private static void save(Connection connection, UUID message, Order.Place place, boolean delayed)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(Order.INSERT)) {
            insert.setObject(1, message);
            insert.setString(2, place.tenant());
            insert.setString(3, place.topic());
            insert.setString(4, place.key());
            insert.setBoolean(5, delayed);
            insert.executeUpdate();
        }
    }

    private String any(List<String> some) {
        return some.get(random.nextInt(some.size()));
    }

    /** Takes no more orders; returns when the last one is saved. */
    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.join(Duration.ofSeconds(10).toMillis());
        DatabaseException broken = failure;
        if (broken != null) {
            throw broken;
        }
    }
}
