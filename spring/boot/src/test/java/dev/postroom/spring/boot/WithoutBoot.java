package dev.postroom.spring.boot;

import dev.postroom.handler.Handlers;
import dev.postroom.outbox.Outbox;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.spi.Transport;
import dev.postroom.spring.BorrowedTransport;
import dev.postroom.spring.OutboxEvent;
import dev.postroom.spring.OutboxEventListener;
import dev.postroom.spring.RelayLifecycle;
import dev.postroom.spring.SpringOutbox;
import dev.postroom.testbed.H2;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** An application that makes every bean itself. */
@Configuration
class WithoutBoot {
    private final List<String> delivered = new CopyOnWriteArrayList<>();

    // in docs/spring.md
    @OutboxEvent(topic = "orders.created", key = "orderId")
    record OrderCreated(String orderId, int total) {}
    // until here

    List<String> delivered() { // its fields are those of the proxy
        return delivered;
    }

    @Bean
    DataSource dataSource() {
        DataSource dataSource = H2.freshDatabase().dataSource();
        Store.open(dataSource, TableNames.DEFAULT).schema().migrate();
        return dataSource;
    }

    @Bean
    PlatformTransactionManager transactions(DataSource dataSource) {
        return new JdbcTransactionManager(dataSource);
    }

    @Bean
    Transport warehouse() {
        return Handlers.create()
                .on("orders.created", OrderCreated.class, (order, delivery) -> delivered.add(order.toString()));
    }

    // in docs/spring.md
    @Bean
    RelayLifecycle relay(DataSource dataSource, Transport transport) {
        return new RelayLifecycle(() ->
                Relay.on(dataSource).deliverTo(BorrowedTransport.of(transport)).start());
    }

    @Bean
    Outbox outbox(DataSource dataSource, RelayLifecycle relay) {
        return SpringOutbox.configure(dataSource).onCommit(relay::wake).build();
    }

    @Bean
    OutboxEventListener outboxEvents(ObjectProvider<Outbox> outbox) {
        return new OutboxEventListener(outbox::getObject);
    }
    // until here
}
