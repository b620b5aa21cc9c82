package com.example.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.postroom.Message;
import dev.postroom.handler.Handlers;
import dev.postroom.outbox.Outbox;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Saves orders and publishes them in the same transaction; a function in this process ships what was committed. */
public final class Orders {
    record Order(String id, String customer, long cents) {}

    private Orders() {}

    /** Arguments: a JDBC URL; an H2 file when there is none. */
    public static void main(String[] args) throws Exception {
        try (HikariDataSource dataSource = new HikariDataSource()) {
            dataSource.setJdbcUrl(args.length > 0 ? args[0] : "jdbc:h2:file:./data/orders");
            Store.open(dataSource, TableNames.DEFAULT).schema().migrate();
            try (Connection connection = dataSource.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("create table if not exists orders (id varchar(36) primary key, cents bigint)");
            }

            CountDownLatch shipped = new CountDownLatch(9);
            Handlers handlers = Handlers.create().on("orders.placed", Order.class, (order, delivery) -> {
                System.out.println("shipped " + order);
                shipped.countDown();
            });
            try (Relay relay = Relay.on(dataSource).deliverTo(handlers).start()) {
                for (int i = 1; i <= 10; i++) {
                    place(relay.outbox(), new Order(UUID.randomUUID().toString(), "customer " + i % 3, 100L * i));
                }
                shipped.await(30, TimeUnit.SECONDS);
            } // finishes what is under way
        }
    }

    /** Both are committed, or neither: the tenth order is refused after it was published, and is never shipped. */
    private static void place(Outbox outbox, Order order) throws SQLException {
        try {
            outbox.inTransaction(tx -> {
                try (PreparedStatement insert = tx.connection().prepareStatement("insert into orders values (?, ?)")) {
                    insert.setString(1, order.id());
                    insert.setLong(2, order.cents());
                    insert.executeUpdate();
                }
                tx.publish(Message.to("orders.placed").key(order.customer()).json(order));
                if (order.cents() >= 1_000) {
                    throw new IllegalArgumentException("too expensive");
                }
            });
        } catch (IllegalArgumentException e) {
            System.out.println("refused " + order + ": " + e.getMessage());
        }
    }
}
