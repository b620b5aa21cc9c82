package dev.postroom.spring.modulith;

import dev.postroom.Message;

/**
 * Adds what Spring Modulith has no word for to the message of an event: a type, a tenant, an idempotency key, a delay. A bean of
 * this type is found by itself. Thread-safe.
 *
 * <pre>{@code
 * @Bean
 * MessageRefinement types() {
 *     return (message, event) -> message.type(event.getClass().getSimpleName());
 * }
 * }</pre>
 */
@FunctionalInterface
public interface MessageRefinement {
    /** Leaves messages as they are. */
    MessageRefinement NONE = (message, event) -> message;

    /**
     * The message to write.
     *
     * @param message with topic, key, payload and headers, as Spring Modulith is configured
     * @param event what was published
     */
    Message refine(Message message, Object event);
}
