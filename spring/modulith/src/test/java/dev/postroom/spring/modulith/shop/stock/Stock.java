package dev.postroom.spring.modulith.shop.stock;

import dev.postroom.spring.modulith.shop.orders.OrderPlaced;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.stereotype.Component;

/** Another module of the same application hears of it as before, through Modulith's own registry. */
@Component
public class Stock {
    private final List<String> reserved = new CopyOnWriteArrayList<>();

    @ApplicationModuleListener
    void reserve(OrderPlaced event) {
        reserved.add(event.order());
    }

    public List<String> reserved() { // its fields are those of the proxy
        return reserved;
    }
}
