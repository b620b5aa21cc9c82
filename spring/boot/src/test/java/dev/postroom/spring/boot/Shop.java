package dev.postroom.spring.boot;

import dev.postroom.Message;
import dev.postroom.handler.Handlers;
import dev.postroom.outbox.Outbox;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.annotation.Transactional;

/** An application that publishes orders, and ships what it is told of, by functions that publish in turn. */
@SpringBootConfiguration
@EnableAutoConfiguration
class Shop {
    private final List<String> shipped = new CopyOnWriteArrayList<>();

    @Bean
    Orders orders(Outbox outbox) {
        return new Orders(outbox);
    }

    @Bean
    Accidents accidents(Orders orders) {
        return new Accidents(orders);
    }

    // in docs/spring.md
    static class Orders {
        private final Outbox outbox;

        Orders(Outbox outbox) {
            this.outbox = outbox;
        }

        @Transactional
        public void create(String id) { // saves the order, and in the same transaction:
            outbox.publish(Message.to("orders.created").key(id).json(id));
        }
    }
    // until here

    static class Accidents {
        private final Orders orders;

        Accidents(Orders orders) {
            this.orders = orders;
        }

        @Transactional
        public void createAndFail(String id) {
            orders.create(id);
            throw new IllegalStateException("failed");
        }
    }

    List<String> shipped() { // its fields are those of the proxy
        return shipped;
    }

    void ship(String id, Orders orders) {
        shipped.add(id);
        if (!id.startsWith("return of ")) {
            orders.create("return of " + id);
        }
    }

    // and in docs/spring.md
    @Bean
    Handlers warehouse(Orders orders) { // a destination: functions in this process
        return Handlers.create().on("orders.created", String.class, (order, delivery) -> ship(order, orders));
    }
    // until here
}
