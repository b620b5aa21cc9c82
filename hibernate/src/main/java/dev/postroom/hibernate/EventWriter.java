package dev.postroom.hibernate;

import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.outbox.Outbox;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.event.spi.EventSource;
import org.jspecify.annotations.Nullable;

/** Writes the events of a session's entities in its transaction. Thread-safe. */
final class EventWriter {
    private final Outbox outbox;
    private final EventMapper mapper;

    EventWriter(Outbox outbox, EventMapper mapper) {
        this.outbox = outbox;
        this.mapper = mapper;
    }

    /** The session's entities that can have events, also those it is about to delete. */
    static Collection<HasDomainEvents> entities(EventSource session) {
        List<HasDomainEvents> found = new ArrayList<>();
        for (Map.Entry<Object, EntityEntry> entry :
                session.getPersistenceContextInternal().reentrantSafeEntityEntries()) {
            if (entry.getKey() instanceof HasDomainEvents entity) {
                found.add(entity);
            }
        }
        return found;
    }

    /**
     * Writes what is not written yet, in one round trip. If a single event cannot be mapped or encoded, none is written, and
     * the exception ends the flush: what the entities say and what their events say must not part.
     *
     * @param before the entities there were before the flush; those that it deleted are in no session any more
     */
    void write(EventSource session, Collection<HasDomainEvents> before) {
        IdentityHashMap<HasDomainEvents, DomainEvents> sources = new IdentityHashMap<>();
        List<HasDomainEvents> order = new ArrayList<>(before);
        order.addAll(entities(session));
        UUID id = session.getSessionIdentifier();
        List<Message> messages = new ArrayList<>();
        for (HasDomainEvents entity : order) {
            List<Object> unwritten = sources.containsKey(entity)
                    ? List.of()
                    : entity.domainEvents().unwritten(id);
            if (!unwritten.isEmpty()) {
                sources.put(entity, entity.domainEvents());
                unwritten.forEach(event -> add(messages, mapper.message(entity, event)));
            }
        }
        if (!sources.isEmpty()) {
            write(session, List.copyOf(sources.values()), messages);
        }
    }

    private static void add(List<Message> messages, @Nullable Message message) {
        if (message != null) {
            messages.add(message);
        }
    }

    private void write(EventSource session, List<DomainEvents> written, List<Message> messages) {
        List<Published> published = session.doReturningWork(connection -> outbox.publishAll(connection, messages));
        // From here on they are written, unless the transaction ends otherwise.
        session.getTransactionCoordinator()
                .getLocalSynchronizations()
                .registerSynchronization(new Ending(written, outbox, published));
        UUID id = session.getSessionIdentifier();
        written.forEach(events -> events.written(id));
    }

    /** Tells events how their transaction ended. Hibernate's own callbacks are others in 6.6 than in 7. */
    private record Ending(List<DomainEvents> written, Outbox outbox, List<Published> published)
            implements Synchronization {
        @Override
        public void beforeCompletion() {}

        @Override
        public void afterCompletion(int status) {
            boolean committed = status == Status.STATUS_COMMITTED;
            written.forEach(committed ? DomainEvents::committed : DomainEvents::rolledBack);
            if (committed) {
                outbox.committed(published);
            }
        }
    }
}
