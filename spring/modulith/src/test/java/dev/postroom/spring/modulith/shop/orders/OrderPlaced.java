package dev.postroom.spring.modulith.shop.orders;

import org.springframework.modulith.events.Externalized;

// in docs/modulith.md
@Externalized("orders.placed::#{customer()}") // topic::key
public record OrderPlaced(String order, String customer) {}
// until here
