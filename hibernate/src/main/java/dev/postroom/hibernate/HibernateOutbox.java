package dev.postroom.hibernate;

import dev.postroom.PostroomException;
import dev.postroom.outbox.Outbox;
import jakarta.persistence.EntityManagerFactory;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.internal.DefaultAutoFlushEventListener;
import org.hibernate.event.internal.DefaultFlushEventListener;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;

/**
 * Writes the domain events of entities to an outbox, in the transaction that flushes the entities.
 *
 * <pre>{@code
 * HibernateOutbox.attach(entityManagerFactory, Outbox.on(dataSource), (entity, event) ->
 *         Message.to("orders").key(((Order) entity).id()).json(event));
 * }</pre>
 */
public final class HibernateOutbox {
    private HibernateOutbox() {}

    /**
     * From now on each flush of the factory's sessions writes the events of their entities. Call it once, before the first
     * session is opened.
     *
     * @param outbox in the database that the entities are in
     * @throws PostroomException when that was done before, or another library has replaced Hibernate's own flush
     */
    public static void attach(EntityManagerFactory factory, Outbox outbox, EventMapper mapper) {
        EventListenerRegistry registry =
                factory.unwrap(SessionFactoryImplementor.class).getEventEngine().getListenerRegistry();
        EventWriter writer = new EventWriter(outbox, mapper);
        Replacement.make(
                registry.getEventListenerGroup(EventType.FLUSH),
                DefaultFlushEventListener.class,
                new WritingFlushListener(writer));
        Replacement.make(
                registry.getEventListenerGroup(EventType.AUTO_FLUSH),
                DefaultAutoFlushEventListener.class,
                new WritingAutoFlushListener(writer));
        registry.getEventListenerGroup(EventType.MERGE).appendListener(new MergedEventsListener());
    }
}
