package dev.postroom.hibernate;

import java.util.Collection;
import org.hibernate.event.internal.DefaultAutoFlushEventListener;
import org.hibernate.event.spi.AutoFlushEvent;

/** Hibernate's own flush before a query, and the events at its end, if it found that a flush was needed. */
final class WritingAutoFlushListener extends DefaultAutoFlushEventListener {
    private final EventWriter writer;

    WritingAutoFlushListener(EventWriter writer) {
        this.writer = writer;
    }

    @Override
    public void onAutoFlush(AutoFlushEvent event) {
        Collection<HasDomainEvents> before = EventWriter.entities(event.getSession());
        super.onAutoFlush(event);
        if (event.isFlushRequired()) {
            writer.write(event.getSession(), before);
        }
    }
}
