package com.example.hibernate;

import com.zaxxer.hikari.HikariDataSource;
import dev.postroom.Message;
import dev.postroom.handler.Handlers;
import dev.postroom.hibernate.HibernateOutbox;
import dev.postroom.outbox.Outbox;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** Places an order and cancels it. Hibernate writes what the entity said of it to the outbox; a relay delivers that. */
public final class Shop {
    private Shop() {}

    /** Arguments: a JDBC URL; an H2 file when there is none. */
    public static void main(String[] args) throws Exception {
        try (HikariDataSource dataSource = new HikariDataSource()) {
            dataSource.setJdbcUrl(args.length > 0 ? args[0] : "jdbc:h2:file:./data/shop");
            Store.open(dataSource, TableNames.DEFAULT).schema().migrate();

            CountDownLatch heard = new CountDownLatch(2);
            Handlers handlers = Handlers.create().otherwise(delivery -> {
                System.out.println(delivery.type() + " of order " + delivery.key());
                heard.countDown();
            });
            try (SessionFactory sessions = sessions(dataSource);
                    Relay relay = Relay.on(dataSource).deliverTo(handlers).start()) {
                UUID id = UUID.randomUUID();
                sessions.inTransaction(session -> session.persist(new Order(id, 1_999)));
                sessions.inTransaction(session -> session.find(Order.class, id).cancel());
                heard.await(30, TimeUnit.SECONDS);
            }
        }
    }

    private static SessionFactory sessions(HikariDataSource dataSource) {
        Configuration configuration = new Configuration().addAnnotatedClass(Order.class);
        configuration.setProperty("hibernate.hbm2ddl.auto", "update");
        configuration.getProperties().put("hibernate.connection.datasource", dataSource);
        SessionFactory sessions = configuration.buildSessionFactory();
        HibernateOutbox.attach(
                sessions,
                Outbox.on(dataSource),
                (entity, event) -> Message.to("orders")
                        .key(((Order) entity).id().toString())
                        .type(event.getClass().getSimpleName())
                        .json(event));
        return sessions;
    }
}
