package dev.postroom.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.Message;
import dev.postroom.MessageRejectedException;
import dev.postroom.NoTransactionException;
import dev.postroom.testbed.H2;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.jdbc.core.RowMapper;

@Tag("R2")
class OutboxEventListenerTest {
    private static Shop shop;
    private static GenericApplicationContext context;

    @OutboxEvent(topic = "orders.created", key = "orderId", type = "OrderCreated", tenant = "'acme'")
    record OrderCreated(String orderId, int total) {}

    @OutboxEvent(topic = "orders.paid", key = "number()", idempotencyKey = "'paid-' + number()")
    record OrderPaid(Integer number) {}

    @OutboxEvent(topic = "orders.noted")
    static class Noted {
        public String getText() {
            return "text";
        }
    }

    static final class NotedTwice extends Noted {}

    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @OutboxEvent(topic = "audit")
    @interface Audited {}

    @Audited
    record LoggedIn(String user) {}

    @OutboxEvent(topic = "orders.wrong", key = "no such thing")
    record Unparsable() {}

    @OutboxEvent(topic = "orders.wrong", key = "missing")
    record WithoutProperty() {}

    @OutboxEvent(topic = "orders.wrong", key = "T(java.lang.Runtime).getRuntime()")
    record Reaching() {}

    @OutboxEvent(topic = "orders.wrong")
    static final class Classic extends ApplicationEvent {
        private static final long serialVersionUID = 1L;

        Classic(Object source) {
            super(source);
        }
    }

    record Unrelated(String text) {}

    @BeforeAll
    static void open() {
        shop = new Shop(H2.freshDatabase());
        context = new GenericApplicationContext();
        // Also where events are handled on other threads, the outbox's are not: those would be in no transaction.
        SimpleApplicationEventMulticaster events = new SimpleApplicationEventMulticaster();
        events.setTaskExecutor(new SimpleAsyncTaskExecutor("events-"));
        context.registerBean("applicationEventMulticaster", SimpleApplicationEventMulticaster.class, () -> events);
        context.registerBean(OutboxEventListener.class, () -> new OutboxEventListener(() -> shop.outbox));
        context.refresh();
    }

    @AfterAll
    static void close() {
        context.close();
        shop.close();
    }

    @BeforeEach
    void empty() {
        shop.empty();
    }

    private static void publish(Object event) {
        shop.transaction().executeWithoutResult(tx -> context.publishEvent(event));
    }

    private static List<Map<String, Object>> rows() {
        RowMapper<Map<String, Object>> row = (found, number) -> Map.of(
                "topic", found.getString("topic"),
                "key", String.valueOf(found.getString("ordering_key")),
                "type", String.valueOf(found.getString("type")),
                "tenant", found.getString("tenant"),
                "payload", new String(found.getBytes("payload"), StandardCharsets.UTF_8));
        return shop.jdbc.query("select * from postroom_message order by seq", row);
    }

    @Test
    void annotated_event_becomes_a_message_of_the_same_transaction() {
        publish(new OrderCreated("42", 7));
        assertThat(rows())
                .containsExactly(Map.of(
                        "topic", "orders.created",
                        "key", "42",
                        "type", "OrderCreated",
                        "tenant", "acme",
                        "payload", "{\"orderId\":\"42\",\"total\":7}"));
        assertThat(shop.hints).hasSize(1);
    }

    @Test
    void rolled_back_event_was_never_published() {
        shop.transaction().executeWithoutResult(tx -> {
            context.publishEvent(new OrderCreated("42", 7));
            tx.setRollbackOnly();
        });
        assertThat(rows()).isEmpty();
    }

    @Test
    @Tag("R4")
    void event_outside_of_a_transaction_is_refused_where_it_is_published() {
        assertThatThrownBy(() -> context.publishEvent(new OrderCreated("42", 7)))
                .isInstanceOf(NoTransactionException.class);
    }

    @Test
    @Tag("R5")
    void event_with_an_idempotency_key_is_written_once() {
        publish(new OrderPaid(5));
        publish(new OrderPaid(5));
        assertThat(shop.messages()).containsExactly("5");
    }

    @Test
    void annotation_may_come_from_the_superclass_or_from_another_annotation() {
        publish(new NotedTwice());
        publish(new LoggedIn("me"));
        assertThat(rows()).extracting(row -> row.get("topic")).containsExactly("orders.noted", "audit");
        assertThat(rows()).extracting(row -> row.get("key")).containsOnly("null");
    }

    @Test
    void message_published_as_an_event_is_written_as_it_is() {
        publish(Message.to("plain").key("k").text("text/plain", "hello"));
        assertThat(rows()).extracting(row -> row.get("payload")).containsExactly("hello");
    }

    @Test
    void other_events_are_left_alone() {
        publish(new Unrelated("x"));
        context.publishEvent(new Unrelated("y"));
        assertThat(rows()).isEmpty();
    }

    @Test
    void key_that_is_null_is_refused_because_the_order_would_be_lost() {
        assertThatThrownBy(() -> publish(new OrderCreated(null, 7)))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("key = \"orderId\"")
                .hasMessageContaining("is null");
    }

    @Test
    void expression_that_cannot_be_evaluated_is_named() {
        for (Object event : List.of(new Unparsable(), new WithoutProperty(), new Reaching())) {
            assertThatThrownBy(() -> publish(event))
                    .isInstanceOf(MessageRejectedException.class)
                    .hasMessageContaining(
                            "of @OutboxEvent on " + event.getClass().getName());
        }
    }

    @Test
    void event_that_carries_its_source_along_is_refused() {
        assertThatThrownBy(() -> publish(new Classic(this)))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("publish a plain object");
    }
}
