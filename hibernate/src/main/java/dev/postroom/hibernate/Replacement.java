package dev.postroom.hibernate;

import dev.postroom.PostroomException;
import org.hibernate.event.service.spi.DuplicationStrategy;
import org.hibernate.event.service.spi.EventListenerGroup;
import org.hibernate.event.service.spi.EventListenerRegistrationException;
import org.jspecify.annotations.Nullable;

/** Puts a listener of ours, which does all that Hibernate's own does, in that one's place. Others stay where they are. */
final class Replacement implements DuplicationStrategy {
    private final Class<?> own;
    private final Object ours;
    private boolean done;

    private Replacement(Class<?> own, Object ours) {
        this.own = own;
        this.ours = ours;
    }

    /** @throws PostroomException when Hibernate's own is not there */
    static <T> void make(EventListenerGroup<T> group, Class<? extends T> own, T ours) {
        Replacement replacement = new Replacement(own, ours);
        group.addDuplicationStrategy(replacement);
        try {
            group.appendListener(ours);
        } catch (EventListenerRegistrationException duplicate) {
            throw missing(group, duplicate);
        }
        if (!replacement.done) {
            throw missing(group, null);
        }
    }

    private static PostroomException missing(EventListenerGroup<?> group, @Nullable Throwable cause) {
        return new PostroomException(
                "Hibernate's own listener for " + group.getEventType()
                        + " is not there: attach the outbox once only, and before libraries that replace it",
                cause);
    }

    @Override
    public boolean areMatch(Object added, Object existing) {
        boolean match = added == ours && existing.getClass() == own;
        done |= match;
        return match;
    }

    @Override
    public Action getAction() {
        return Action.REPLACE_ORIGINAL;
    }
}
