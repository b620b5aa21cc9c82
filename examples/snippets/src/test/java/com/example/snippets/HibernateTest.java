package com.example.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.hibernate.DomainEvents;
import dev.postroom.hibernate.HasDomainEvents;
import dev.postroom.hibernate.HibernateOutbox;
import dev.postroom.outbox.Outbox;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Transient;
import java.util.UUID;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Test;

class HibernateTest extends SnippetShop {
    record PurchaseCancelled(UUID id) {}

    // in docs/hibernate.md
    @Entity
    static class Purchase implements HasDomainEvents { // module postroom-hibernate
        @Id
        private UUID id = UUID.randomUUID();

        private boolean cancelled;

        @Transient
        private final DomainEvents events = new DomainEvents();

        void cancel() {
            cancelled = true;
            events.add(new PurchaseCancelled(id));
        }

        @Override
        public DomainEvents domainEvents() {
            return events;
        }
    }
    // until here

    @Test
    void what_happens_to_an_entity_is_published() throws Exception {
        try (SessionFactory sessions = sessions()) {
            attach(sessions);
            Purchase purchase = new Purchase();
            sessions.inTransaction(session -> session.persist(purchase));
            sessions.inTransaction(
                    session -> session.find(Purchase.class, purchase.id).cancel());
            boolean cancelled =
                    sessions.fromTransaction(session -> session.find(Purchase.class, purchase.id).cancelled);
            assertThat(cancelled).isTrue();
        }
        assertThat(select("select type from postroom_message")).containsExactly("PurchaseCancelled");
    }

    @Test
    void session_gives_its_connection_to_publish_by_hand() throws Exception {
        Outbox outbox = Outbox.on(dataSource);
        Message message = Message.to("purchases");
        try (SessionFactory sessions = sessions()) {
            sessions.inTransaction(session -> {
                session.doWork(connection -> outbox.publish(connection, message));
                session.getTransaction().markRollbackOnly();
            });
            assertThat(select("select topic from postroom_message")).isEmpty();
            sessions.inTransaction(session -> session.doWork(connection -> outbox.publish(connection, message)));
        }
        assertThat(select("select topic from postroom_message")).containsExactly("purchases");
    }

    private SessionFactory sessions() {
        Configuration configuration = new Configuration().addAnnotatedClass(Purchase.class);
        configuration.setProperty("hibernate.hbm2ddl.auto", "create");
        configuration.getProperties().put("hibernate.connection.datasource", dataSource);
        return configuration.buildSessionFactory();
    }

    private void attach(EntityManagerFactory entityManagerFactory) {
        // and in docs/hibernate.md
        // once, at the start
        HibernateOutbox.attach(
                entityManagerFactory,
                Outbox.on(dataSource),
                (entity, event) -> Message.to("purchases")
                        .key(((Purchase) entity).id.toString())
                        .type(event.getClass().getSimpleName())
                        .json(event));
        // until here
    }
}
