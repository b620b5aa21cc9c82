package dev.postroom.spring.boot.jpa;

import dev.postroom.spring.OutboxEvent;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.data.domain.AbstractAggregateRoot;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.transaction.annotation.Transactional;

/** An application with Spring Data JPA whose aggregates register domain events. */
@SpringBootConfiguration
@EnableAutoConfiguration
@EnableJpaRepositories(considerNestedRepositories = true)
public class JpaShop {

    /** An order; placing it is an event. */
    @Entity
    @Table(name = "shop_order")
    public static class PurchaseOrder extends AbstractAggregateRoot<PurchaseOrder> {
        @Id
        private String id;

        protected PurchaseOrder() {}

        PurchaseOrder(String id) {
            this.id = id;
            registerEvent(new OrderPlaced(id));
        }
    }

    /** What the outbox gets. */
    @OutboxEvent(topic = "orders.placed", key = "order")
    public record OrderPlaced(String order) {}

    /** All orders. */
    public interface PurchaseOrders extends JpaRepository<PurchaseOrder, String> {}

    /** Places orders. */
    public static class Desk {
        private final PurchaseOrders orders;

        Desk(PurchaseOrders orders) {
            this.orders = orders;
        }

        @Transactional
        public void place(String id, boolean fail) {
            orders.save(new PurchaseOrder(id));
            if (fail) {
                throw new IllegalStateException("failed");
            }
        }
    }

    @Bean
    Desk desk(PurchaseOrders orders) {
        return new Desk(orders);
    }
}
