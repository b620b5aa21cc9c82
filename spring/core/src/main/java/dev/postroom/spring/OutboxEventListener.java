package dev.postroom.spring;

import dev.postroom.Message;
import dev.postroom.outbox.Outbox;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.core.ResolvableType;

/**
 * Writes application events to the outbox, in the transaction they are published in: those whose class has
 * {@link OutboxEvent}, and each {@link Message} as it is. Outside of a transaction publishing such an event fails.
 * Thread-safe.
 */
public final class OutboxEventListener implements GenericApplicationListener {
    private final Supplier<Outbox> outbox;
    private final ClassValue<Optional<EventMapping>> mappings = new ClassValue<>() {
        @Override
        protected Optional<EventMapping> computeValue(Class<?> eventClass) {
            return Optional.ofNullable(EventMapping.of(eventClass));
        }
    };

    /** The outbox is asked for when the first such event comes, since listeners are made before most other beans. */
    public OutboxEventListener(Supplier<Outbox> outbox) {
        this.outbox = outbox;
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        Object payload = event instanceof PayloadApplicationEvent<?> wrapped ? wrapped.getPayload() : event;
        if (payload instanceof Message message) {
            outbox.get().publish(message);
            return;
        }
        mappings.get(payload.getClass()).ifPresent(mapping -> outbox.get().publish(mapping.toMessage(payload)));
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
