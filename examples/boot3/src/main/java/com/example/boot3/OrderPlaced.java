package com.example.boot3;

import dev.postroom.spring.OutboxEvent;
import java.util.UUID;

/** Published like any other application event; the annotation sends it through the outbox. */
@OutboxEvent(topic = "orders.placed", key = "customer")
public record OrderPlaced(UUID order, String customer, long cents) {}
