package dev.postroom.spring.modulith.shop.orders;

import dev.postroom.spring.OutboxEvent;
import org.springframework.modulith.events.Externalized;

/** Says twice where it goes. */
@Externalized("orders.told")
@OutboxEvent(topic = "orders.told")
public record OrderTold(String order) {}
