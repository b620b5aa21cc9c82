package dev.postroom.spring;

import dev.postroom.Message;
import dev.postroom.MessageRejectedException;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEvent;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/** How events of one class become messages. Thread-safe. */
final class EventMapping {
    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    private final Class<?> eventClass;
    private final OutboxEvent annotation;
    private final @Nullable Expression key;
    private final @Nullable Expression tenant;
    private final @Nullable Expression idempotencyKey;

    private EventMapping(Class<?> eventClass, OutboxEvent annotation) {
        this.eventClass = eventClass;
        this.annotation = annotation;
        this.key = parse("key", annotation.key());
        this.tenant = parse("tenant", annotation.tenant());
        this.idempotencyKey = parse("idempotencyKey", annotation.idempotencyKey());
    }

    /** The mapping of the class, or null when its events are none of the outbox's business. */
    static @Nullable EventMapping of(Class<?> eventClass) {
        OutboxEvent annotation = AnnotatedElementUtils.findMergedAnnotation(eventClass, OutboxEvent.class);
        if (annotation == null) {
            return null;
        }
        if (ApplicationEvent.class.isAssignableFrom(eventClass)) {
            throw new MessageRejectedException(
                    "@OutboxEvent on " + eventClass.getName() + ", which extends"
                            + " ApplicationEvent and so would carry its source along: publish a plain object, such as a record");
        }
        return new EventMapping(eventClass, annotation);
    }

    Message toMessage(Object event) {
        Message message = Message.to(annotation.topic()).json(event);
        if (!annotation.type().isEmpty()) {
            message = message.type(annotation.type());
        }
        if (key != null) {
            message = message.key(value("key", key, event));
        }
        if (tenant != null) {
            message = message.tenant(value("tenant", tenant, event));
        }
        return idempotencyKey == null
                ? message
                : message.idempotencyKey(value("idempotencyKey", idempotencyKey, event));
    }

    private @Nullable Expression parse(String attribute, String text) {
        try {
            return text.isEmpty() ? null : PARSER.parseExpression(text);
        } catch (ParseException e) {
            throw new MessageRejectedException(where(attribute, text) + " is no SpEL expression: correct it", e);
        }
    }

    /** Read-only, without types, beans and constructors: an expression about the event and nothing else. */
    private String value(String attribute, Expression expression, Object event) {
        SimpleEvaluationContext context = SimpleEvaluationContext.forReadOnlyDataBinding()
                .withInstanceMethods()
                .build();
        Object value;
        try {
            value = expression.getValue(context, event);
        } catch (EvaluationException e) {
            throw new MessageRejectedException(
                    where(attribute, expression.getExpressionString()) + " could not be evaluated: " + e.getMessage(),
                    e);
        }
        if (value == null) {
            throw new MessageRejectedException(where(attribute, expression.getExpressionString())
                    + " is null: give the event a value there, or leave " + attribute + " out");
        }
        return value.toString();
    }

    private String where(String attribute, String text) {
        return attribute + " = \"" + text + "\" of @OutboxEvent on " + eventClass.getName();
    }
}
