package com.example.hibernate;

import dev.postroom.hibernate.DomainEvents;
import dev.postroom.hibernate.HasDomainEvents;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Transient;
import java.util.UUID;

/** An entity that says what happens to it. It knows nothing of messages. */
@Entity
@Table(name = "orders")
class Order implements HasDomainEvents {
    record Placed(UUID order, long cents) {}

    record Cancelled(UUID order) {}

    @Id
    private UUID id;

    private long cents;
    private boolean cancelled;

    @Transient
    private final DomainEvents events = new DomainEvents();

    protected Order() {} // for Hibernate

    Order(UUID id, long cents) {
        this.id = id;
        this.cents = cents;
        events.add(new Placed(id, cents));
    }

    void cancel() {
        if (!cancelled) {
            cancelled = true;
            events.add(new Cancelled(id));
        }
    }

    UUID id() {
        return id;
    }

    long cents() {
        return cents;
    }

    @Override
    public DomainEvents domainEvents() {
        return events;
    }
}
