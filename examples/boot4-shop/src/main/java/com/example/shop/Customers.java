package com.example.shop;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** They buy something every now and then, as long as the shop is open. */
@Component
@ConditionalOnBooleanProperty("shop.open")
class Customers {
    private static final Logger LOG = LoggerFactory.getLogger(Customers.class);

    private final Orders orders;

    Customers(Orders orders) {
        this.orders = orders;
    }

    @Scheduled(fixedDelayString = "${shop.pause}")
    void buy() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        Order order = new Order(UUID.randomUUID(), "customer-" + random.nextInt(20), random.nextLong(100, 10_000));
        try {
            orders.place(order);
            LOG.info("placed {}", order.id());
        } catch (Payments.RefusedException e) {
            LOG.info("refused {}", order.id());
        }
    }
}
