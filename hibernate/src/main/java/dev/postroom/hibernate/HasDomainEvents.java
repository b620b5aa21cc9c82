package dev.postroom.hibernate;

/** An entity that says what happened to it. */
public interface HasDomainEvents {

    /** Always the same object, in a field that is not mapped. */
    DomainEvents domainEvents();
}
