package dev.postroom.hibernate;

import dev.postroom.Message;
import org.jspecify.annotations.Nullable;

/** Turns a domain event into the message that tells others of it. May be called from several threads at once. */
@FunctionalInterface
public interface EventMapper {

    /**
     * The message, or null when nobody else needs to know.
     *
     * @param entity whose event it is; its id is assigned by now
     */
    @Nullable
    Message message(HasDomainEvents entity, Object event);
}
