package dev.postroom.hibernate;

import java.util.Collection;
import org.hibernate.event.internal.DefaultFlushEventListener;
import org.hibernate.event.spi.FlushEvent;

/** Hibernate's own flush, by {@code flush()} or before a commit, and the events at its end. */
final class WritingFlushListener extends DefaultFlushEventListener {
    private final EventWriter writer;

    WritingFlushListener(EventWriter writer) {
        this.writer = writer;
    }

    @Override
    public void onFlush(FlushEvent event) {
        Collection<HasDomainEvents> before = EventWriter.entities(event.getSession());
        super.onFlush(event);
        writer.write(event.getSession(), before);
    }
}
