package dev.postroom.benchmark.peers;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.modulith.events.core.EventPublicationRegistry;
import org.springframework.modulith.events.core.PublicationTargetIdentifier;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.event.TransactionalApplicationListenerMethodAdapter;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Spring Modulith's event publication registry: what it does for a backlog is to submit incomplete publications again. Who asks
 * for it marks each of them in a transaction of its own, while the listeners run on a pool. No order.
 */
public final class ModulithPeer implements Peer {
    static final String CONFIGURATIONS = "org.springframework.modulith.events.config.EventPublicationAutoConfiguration,"
            + "org.springframework.modulith.events.config.EventExternalizationAutoConfiguration,"
            + "org.springframework.modulith.events.jdbc.JdbcEventPublicationAutoConfiguration";

    private static final Map<String, Object> SETTINGS = Map.of(
            "spring.modulith.events.completion-mode",
            "delete",
            "spring.modulith.events.jdbc.schema-initialization.enabled",
            true,
            "spring.task.execution.pool.core-size",
            16,
            "spring.task.execution.shutdown.await-termination",
            true,
            "spring.task.execution.shutdown.await-termination-period",
            "30s",
            "namastack.outbox.enabled",
            false);

    /** One would wait for a commit per message; each takes its share. */
    private static final int RESUBMITTERS = 8;

    private final Listener listener = new Listener();
    private final ConfigurableApplicationContext context;
    private final TransactionTemplate transaction;
    private final EventPublicationRegistry registry;
    private final PublicationTargetIdentifier target;
    private final List<Thread> resubmitters = new ArrayList<>();

    /** What happened. */
    public record Placed(String payload) {}

    /** Hears of it, in a transaction of its own. */
    static class Listener {
        private volatile Consumer<String> handler = payload -> {};

        @ApplicationModuleListener
        public void on(Placed placed) {
            handler.accept(placed.payload());
        }
    }

    public ModulithPeer(DataSource database) throws NoSuchMethodException {
        this.context = SpringContext.start(database, Listener.class, listener, SETTINGS);
        this.transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        this.registry = context.getBean(EventPublicationRegistry.class);
        Method method = Listener.class.getMethod("on", Placed.class);
        this.target = PublicationTargetIdentifier.of(
                new TransactionalApplicationListenerMethodAdapter("listener", Listener.class, method).getListenerId());
    }

    /** As its multicaster does when an event is published, without the listener, which would handle it after the commit. */
    @Override
    public void publish(List<Order> orders) {
        transaction.executeWithoutResult(
                status -> orders.forEach(order -> registry.store(new Placed(order.payload()), Stream.of(target))));
    }

    @Override
    public void deliver(Consumer<String> handler) {
        listener.handler = handler;
        IncompleteEventPublications incomplete = context.getBean(IncompleteEventPublications.class);
        for (int i = 0; i < RESUBMITTERS; i++) {
            int share = i;
            Thread thread = new Thread(
                    () -> incomplete.resubmitIncompletePublications(publication ->
                            Math.floorMod(publication.getIdentifier().hashCode(), RESUBMITTERS) == share),
                    "modulith-resubmit-" + i);
            thread.setDaemon(true);
            thread.start();
            resubmitters.add(thread);
        }
    }

    @Override
    public String backlogQuery() {
        return "SELECT count(*) FROM event_publication";
    }

    @Override
    public void close() throws InterruptedException {
        for (Thread thread : resubmitters) {
            thread.join(10_000);
        }
        context.close();
    }
}
