package dev.postroom.hibernate;

import org.hibernate.event.spi.MergeContext;
import org.hibernate.event.spi.MergeEvent;
import org.hibernate.event.spi.MergeEventListener;

/** Merging copies what is mapped to another instance; events are not mapped, so that one is told where to find them. */
final class MergedEventsListener implements MergeEventListener {
    @Override
    public void onMerge(MergeEvent event) {
        if (event.getOriginal() instanceof HasDomainEvents original
                && event.getResult() instanceof HasDomainEvents managed
                && managed != original) {
            managed.domainEvents().merge(original.domainEvents());
        }
    }

    /** For entities that are merged along with another. */
    @Override
    public void onMerge(MergeEvent event, MergeContext copied) {
        onMerge(event);
    }
}
