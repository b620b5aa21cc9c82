package dev.postroom.benchmark.peers;

import io.namastack.outbox.Outbox;
import io.namastack.outbox.OutboxProcessingScheduler;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * namastack-outbox: reads keys with something to do, and workers handle each key's records one after the other. In order per
 * key.
 */
public final class NamastackPeer implements Peer {
    /** Batch, workers and intervals of an instance are those of its authors' performance test, but it polls more often. */
    private static final Map<String, Object> SETTINGS = Map.of(
            "namastack.outbox.polling.batch-size",
            1_000,
            "namastack.outbox.polling.fixed.interval",
            "10ms",
            "namastack.outbox.processing.executor-core-pool-size",
            16,
            "namastack.outbox.processing.executor-max-pool-size",
            32,
            "namastack.outbox.processing.delete-completed-records",
            true,
            "namastack.outbox.instance.heartbeat-interval",
            "1s",
            "namastack.outbox.instance.rebalance-interval",
            "1s",
            "namastack.outbox.multicaster.enabled",
            false,
            "spring.autoconfigure.exclude",
            ModulithPeer.CONFIGURATIONS);

    private final Listener listener = new Listener();
    private final ConfigurableApplicationContext context;
    private final TransactionTemplate transaction;
    private final Outbox outbox;
    private final OutboxProcessingScheduler scheduler;

    /** What happened. */
    public record Placed(String payload) {}

    /** Hears of it. */
    static final class Listener implements OutboxTypedHandler<Placed> {
        private volatile Consumer<String> handler = payload -> {};

        @Override
        public void handle(Placed placed, OutboxRecordMetadata metadata) {
            handler.accept(placed.payload());
        }
    }

    public NamastackPeer(DataSource database) {
        this.context = SpringContext.start(database, Listener.class, listener, SETTINGS);
        this.transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        this.outbox = context.getBean(Outbox.class);
        this.scheduler = context.getBean(OutboxProcessingScheduler.class);
        scheduler.stop(); // until there is a backlog
    }

    @Override
    public void publish(List<Order> orders) {
        transaction.executeWithoutResult(status -> {
            for (Order order : orders) {
                outbox.schedule(new Placed(order.payload()), order.key());
            }
        });
    }

    @Override
    public void deliver(Consumer<String> handler) {
        listener.handler = handler;
        scheduler.start();
    }

    @Override
    public String backlogQuery() {
        return "SELECT count(*) FROM outbox_record WHERE status <> 'COMPLETED'";
    }

    @Override
    public void close() {
        context.close();
    }
}
