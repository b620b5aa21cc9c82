package com.example.boot3;

import java.util.UUID;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class Orders {
    private final JdbcTemplate jdbc;
    private final ApplicationEventPublisher events;

    Orders(JdbcTemplate jdbc, ApplicationEventPublisher events) {
        this.jdbc = jdbc;
        this.events = events;
    }

    /** The order and the message that tells of it are committed together. */
    @Transactional
    public UUID place(String customer, long cents) {
        UUID id = UUID.randomUUID();
        jdbc.update("insert into orders (id, customer, cents) values (?, ?, ?)", id, customer, cents);
        events.publishEvent(new OrderPlaced(id, customer, cents));
        return id;
    }
}
