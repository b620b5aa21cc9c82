package dev.postroom.hibernate;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Transient;

/** An entity with events, for tests. */
@Entity
class Purchase implements HasDomainEvents {
    @Id
    private int id;

    private String note;

    @ManyToOne(cascade = CascadeType.ALL)
    private Purchase follows;

    @Transient
    private final DomainEvents events = new DomainEvents();

    Purchase() {}

    Purchase(int id) {
        this.id = id;
        this.note = "new";
    }

    int id() {
        return id;
    }

    Purchase change(String newNote) {
        note = newNote;
        return this;
    }

    String note() {
        return note;
    }

    Purchase followed() {
        return follows;
    }

    Purchase follow(Purchase other) {
        follows = other;
        return this;
    }

    Purchase happened(Object... what) {
        for (Object event : what) {
            events.add(event);
        }
        return this;
    }

    @Override
    public DomainEvents domainEvents() {
        return events;
    }
}
