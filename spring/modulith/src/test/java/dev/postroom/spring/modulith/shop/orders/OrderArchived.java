package dev.postroom.spring.modulith.shop.orders;

import org.jspecify.annotations.Nullable;
import org.springframework.modulith.events.Externalized;

/** Its key may be missing. */
@Externalized("orders.archived::#{customer()}")
public record OrderArchived(@Nullable String customer) {}
