package dev.postroom.spring.modulith.shop.orders;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class Orders {
    private final JdbcTemplate jdbc;
    private final ApplicationEventPublisher events;

    Orders(JdbcTemplate jdbc, ApplicationEventPublisher events) {
        this.jdbc = jdbc;
        this.events = events;
    }

    @Transactional
    public void place(String order, String customer) {
        jdbc.update("insert into shop_order (id) values (?)", order);
        events.publishEvent(new OrderPlaced(order, customer));
    }

    @Transactional
    public void placeAndFail(String order, String customer) {
        place(order, customer);
        throw new IllegalStateException("failed");
    }

    @Transactional
    public void publish(Object event) {
        events.publishEvent(event);
    }

    /** By mistake. */
    public void publishWithoutTransaction(Object event) {
        events.publishEvent(event);
    }
}
