package dev.postroom.hibernate;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What happened to an entity and is not known to be written yet, oldest first. A flush writes an event once in its
 * transaction; it is forgotten when that commits, and written again by the next flush after a rollback. For the one thread
 * that uses the entity.
 *
 * <pre>{@code
 * @Transient
 * private final DomainEvents events = new DomainEvents();
 *
 * void cancel() {
 *     status = CANCELLED;
 *     events.add(new OrderCancelled(id));
 * }
 * }</pre>
 */
public final class DomainEvents {
    private final List<Object> events = new ArrayList<>();
    /** Of the first events: how many the session has written in a transaction that has not ended. */
    private int written;

    private @Nullable UUID session;
    /** Of the instances that were merged into this one. They keep theirs until they are written. */
    private final List<DomainEvents> merged = new ArrayList<>();

    /** Something happened. */
    public void add(Object event) {
        events.add(Objects.requireNonNull(event));
    }

    /** What no committed transaction has written yet, oldest first. */
    public List<Object> pending() {
        List<Object> all = new ArrayList<>();
        merged.forEach(one -> all.addAll(one.pending()));
        all.addAll(events);
        return List.copyOf(all);
    }

    /** Forgets what has not been written, for a caller that gave up. */
    public void clear() {
        merged.clear();
        events.clear();
        written = 0;
    }

    /** An instance from elsewhere was merged into this one's entity. */
    void merge(DomainEvents other) {
        if (other != this && merged.stream().noneMatch(one -> one == other)) {
            merged.add(other);
        }
    }

    /** What this session has to write. If it was another one that wrote some, that was given up before it could commit. */
    List<Object> unwritten(UUID current) {
        List<Object> all = new ArrayList<>();
        merged.forEach(one -> all.addAll(one.unwritten(current)));
        if (!current.equals(session)) {
            written = 0;
        }
        all.addAll(events.subList(written, events.size()));
        return all;
    }

    /** This session has written all there is. */
    void written(UUID current) {
        merged.forEach(one -> one.written(current));
        session = current;
        written = events.size();
    }

    void committed() {
        merged.forEach(DomainEvents::committed);
        merged.clear();
        events.subList(0, written).clear();
        written = 0;
        session = null;
    }

    void rolledBack() {
        merged.forEach(DomainEvents::rolledBack);
        written = 0;
        session = null;
    }
}
