package dev.postroom.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Events of this class that are given to Spring's {@code ApplicationEventPublisher}, also the domain events of Spring Data's
 * aggregates, are written to the outbox as JSON, in the transaction they are published in.
 *
 * <pre>{@code
 * @OutboxEvent(topic = "orders.created", key = "orderId")
 * record OrderCreated(String orderId, int total) {}
 * }</pre>
 *
 * <p>{@code key}, {@code tenant} and {@code idempotencyKey} are SpEL expressions about the event: a property
 * ({@code orderId}), a method ({@code orderId()}), a text ({@code 'acme'}). One that is given and yields null is an error.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface OutboxEvent {

    /** What routes it; a plain text. */
    String topic();

    /** What orders it; events with the same key are delivered in the order written, whatever their topics. Without, there is no order. */
    String key() default "";

    /** The logical event name, a plain text; the topic when empty. */
    String type() default "";

    /** On whose behalf. */
    String tenant() default "";

    /** Makes publishing the same event twice harmless. */
    String idempotencyKey() default "";
}
