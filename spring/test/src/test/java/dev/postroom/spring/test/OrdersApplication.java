package dev.postroom.spring.test;

import dev.postroom.Message;
import dev.postroom.MessageType;
import dev.postroom.handler.Handlers;
import dev.postroom.outbox.Outbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.annotation.Transactional;

/** An application that announces orders to a broker, and ships them by functions of its own. */
@SpringBootConfiguration
@EnableAutoConfiguration
public class OrdersApplication {
    @MessageType("order.created")
    public record OrderCreated(String orderId, int total) {}

    public static class Warehouse {
        private final List<OrderCreated> shipped = Collections.synchronizedList(new ArrayList<>());

        void ship(OrderCreated order) {
            shipped.add(order);
        }

        List<OrderCreated> shipped() {
            return List.copyOf(shipped);
        }
    }

    public static class Orders {
        private final Outbox outbox;

        Orders(Outbox outbox) {
            this.outbox = outbox;
        }

        @Transactional
        public void create(String id, int total) {
            outbox.publish(Message.to("orders.created").key(id).json(new OrderCreated(id, total)));
        }

        @Transactional
        public void remind(String id) {
            outbox.publish(Message.to("orders.reminder").key(id).deliverAfter(Duration.ofDays(3)));
        }

        @Transactional
        public void fail(String id) {
            create(id, 0);
            throw new IllegalStateException("failed");
        }
    }

    @Bean
    Orders orders(Outbox outbox) {
        return new Orders(outbox);
    }

    @Bean
    Warehouse warehouseOfTheShop() {
        return new Warehouse();
    }

    @Bean
    Handlers warehouse(Warehouse warehouse) {
        return Handlers.create()
                .executor(Runnable::run)
                .on(OrderCreated.class, (order, delivery) -> warehouse.ship(order));
    }
}
