package dev.postroom.benchmark;

import dev.postroom.Message;
import dev.postroom.benchmark.peers.Order;
import dev.postroom.benchmark.peers.Peer;
import dev.postroom.handler.Handlers;
import dev.postroom.outbox.Outbox;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Postroom under the rules of the others, with its default settings. In order per key. */
public final class PostroomPeer implements Peer {
    private static final String TOPIC = "bench.orders";

    private final DataSource database;
    private final Outbox outbox;
    private @Nullable Relay relay;

    public PostroomPeer(DataSource database) {
        this.database = database;
        Store.open(database, TableNames.DEFAULT).schema().migrate();
        this.outbox = Outbox.on(database);
    }

    @Override
    public void publish(List<Order> orders) throws SQLException {
        List<Message> messages = new ArrayList<>(orders.size());
        for (Order order : orders) {
            messages.add(Message.to(TOPIC).key(order.key()).text("text/plain", order.payload()));
        }
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            outbox.publishAll(connection, messages);
            connection.commit();
        }
    }

    @Override
    public void deliver(Consumer<String> handler) {
        Handlers handlers = Handlers.create()
                .on(TOPIC, delivery -> handler.accept(new String(delivery.payload(), StandardCharsets.UTF_8)));
        relay = Relay.on(database)
                .deliverTo("bench", handlers)
                .deleteAfterDelivery()
                .start();
    }

    /** It records in batches behind the handler; so its stop, which records the last of them, counts. */
    @Override
    public void settle() {
        close();
    }

    @Override
    public String backlogQuery() {
        return "SELECT count(*) FROM postroom_message";
    }

    @Override
    public void close() {
        Relay running = relay;
        if (running != null) {
            running.close();
        }
    }
}
