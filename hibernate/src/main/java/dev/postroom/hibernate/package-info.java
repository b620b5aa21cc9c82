/**
 * Domain events of entities, written to the outbox when Hibernate flushes. {@link dev.postroom.hibernate.HibernateOutbox} is
 * the way in; an entity keeps its events in {@link dev.postroom.hibernate.DomainEvents}.
 *
 * <p>They are written at the end of each flush, and not only before the commit: an application that flushes and clears its
 * session every few hundred entities has nothing left to look at when it commits. They are forgotten when the transaction has
 * committed, and not before: a rollback must leave them where a retry finds them.
 */
@NullMarked
package dev.postroom.hibernate;

import org.jspecify.annotations.NullMarked;
