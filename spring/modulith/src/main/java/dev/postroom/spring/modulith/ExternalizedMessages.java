package dev.postroom.spring.modulith;

import dev.postroom.Message;
import dev.postroom.MessageRejectedException;
import dev.postroom.spring.OutboxEvent;
import java.util.Objects;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.RoutingTarget;
import org.springframework.modulith.events.support.BrokerRouting;

/**
 * Turns events into messages as Spring Modulith's configuration says: the target is the topic, the key the key, the mapped event
 * the payload, and headers are headers. Thread-safe.
 */
public final class ExternalizedMessages {
    private final EventExternalizationConfiguration configuration;
    private final MessageRefinement refinement;
    private final StandardEvaluationContext context = new StandardEvaluationContext();

    /** @param beans what expressions in targets and keys may refer to, as Modulith allows it */
    public ExternalizedMessages(
            EventExternalizationConfiguration configuration, MessageRefinement refinement, BeanFactory beans) {
        this.configuration = configuration;
        this.refinement = refinement;
        context.setBeanResolver(new BeanFactoryResolver(beans));
    }

    /** Whether the event is to be externalized. */
    boolean concern(Object event) {
        return configuration.supports(event);
    }

    /** The message that tells others of the event. */
    Message message(Object event) {
        Object mapped = configuration.map(event);
        refuse(event, mapped);
        // Routed by the event itself: what others get to see of it may lack what routes it.
        RoutingTarget target = configuration.determineTarget(event);
        BrokerRouting routing = BrokerRouting.of(target, context);
        Message message = Message.to(routing.getTarget(event)).json(mapped);
        if (target.getKey() != null) {
            message = message.key(key(routing, target, event));
        }
        for (var header : configuration.getHeadersFor(mapped).entrySet()) {
            message = message.header(header.getKey(), String.valueOf(header.getValue()));
        }
        return refinement.refine(message, event);
    }

    private static String key(BrokerRouting routing, RoutingTarget target, Object event) {
        String key = routing.getKey(event);
        if (key == null) {
            throw new MessageRejectedException("the key " + target.getKey() + " of "
                    + event.getClass().getName()
                    + " is null, so its order would be lost: give the event a value there, or"
                    + " leave the key out of its target");
        }
        return key;
    }

    private static void refuse(Object event, Object mapped) {
        if (AnnotatedElementUtils.hasAnnotation(event.getClass(), OutboxEvent.class)) {
            throw new MessageRejectedException(
                    event.getClass().getName() + " has @OutboxEvent and is externalized by Spring"
                            + " Modulith too, so there would be two messages: remove one of them");
        }
        if (Objects.requireNonNull(mapped) instanceof ApplicationEvent) {
            throw new MessageRejectedException(
                    event.getClass().getName() + " extends ApplicationEvent and so would carry its"
                            + " source along: publish a plain object, such as a record, or map it to one");
        }
    }
}
