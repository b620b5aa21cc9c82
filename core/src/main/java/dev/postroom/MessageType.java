package dev.postroom;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The logical name of what a class describes. It is stored and sent with every message that carries such an object, so that
 * the class can be renamed and moved while its messages wait, and other languages know what they get.
 *
 * <pre>{@code
 * @MessageType("order.created")
 * record OrderCreated(String id, int total) {}
 * }</pre>
 *
 * <p>It counts for the class itself, not for those that extend it. For classes that cannot be annotated see {@link TypeNames}.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface MessageType {

    /** What messages are stored and sent with. */
    String value();

    /** Names that it had before: handlers still take messages that were stored with them. */
    String[] formerly() default {};
}
