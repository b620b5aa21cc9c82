package dev.postroom.spring.modulith;

import dev.postroom.outbox.Outbox;
import java.util.function.Supplier;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.core.ResolvableType;

/**
 * Writes each event that Spring Modulith is to externalize to the outbox, in the transaction it is published in. It is a plain
 * listener and no transactional one: those are called after the commit, and Modulith's registry would have to remember them.
 * Outside of a transaction publishing such an event fails. Thread-safe.
 */
public final class ExternalizedEventListener implements GenericApplicationListener {
    private final ExternalizedMessages messages;
    private final Supplier<Outbox> outbox;

    /** The outbox is asked for when the first such event comes, since listeners are made before most other beans. */
    public ExternalizedEventListener(ExternalizedMessages messages, Supplier<Outbox> outbox) {
        this.messages = messages;
        this.outbox = outbox;
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        Object payload = event instanceof PayloadApplicationEvent<?> wrapped ? wrapped.getPayload() : event;
        if (messages.concern(payload)) {
            outbox.get().publish(messages.message(payload));
        }
    }

    @Override
    public boolean supportsEventType(ResolvableType eventType) {
        return true;
    }

    /** Another thread would not be in the caller's transaction. */
    @Override
    public boolean supportsAsyncExecution() {
        return false;
    }
}
