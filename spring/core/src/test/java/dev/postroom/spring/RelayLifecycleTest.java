package dev.postroom.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.postroom.DatabaseException;
import dev.postroom.Message;
import dev.postroom.outbox.Outbox;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.spi.Transport;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@Tag("R35")
class RelayLifecycleTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private final List<String> story = new CopyOnWriteArrayList<>();
    private final TestDatabase database = H2.freshDatabase();

    /** A context as an application has it: a pool, a transport, the relay, an outbox. */
    private GenericApplicationContext application(TestDatabase where, Transport transport) {
        Store.open(where.dataSource(), TableNames.DEFAULT).schema().migrate();
        GenericApplicationContext context = new GenericApplicationContext();
        context.registerBean(HikariDataSource.class, () -> Shop.pool(where));
        context.registerBean("transport", Transport.class, () -> transport);
        context.registerBean(RelayLifecycle.class, () -> {
            HikariDataSource pool = context.getBean(HikariDataSource.class);
            Transport borrowed = BorrowedTransport.of(context.getBean(Transport.class));
            return new RelayLifecycle(() -> {
                story.add("relay starts");
                // It looks by itself only after so long that a test would notice.
                return Relay.on(pool)
                        .deliverTo(borrowed)
                        .pollMin(LONG)
                        .pollMax(LONG.multipliedBy(3))
                        .start();
            });
        });
        context.registerBean(
                Outbox.class,
                () -> SpringOutbox.configure(context.getBean(HikariDataSource.class))
                        .onCommit(context.getBean(RelayLifecycle.class)::wake)
                        .build());
        return context;
    }

    private static void publish(GenericApplicationContext context, String key) {
        var transactions = new JdbcTransactionManager(context.getBean(HikariDataSource.class));
        new TransactionTemplate(transactions)
                .executeWithoutResult(tx -> context.getBean(Outbox.class)
                        .publish(Message.to("orders").key(key).text("text/plain", key)));
    }

    @Test
    @Tag("R12")
    void commit_wakes_the_relay_long_before_it_would_look_by_itself() {
        Recorder recorder = new Recorder();
        try (GenericApplicationContext context = application(Postgres.newest().freshDatabase(), recorder)) {
            context.refresh();
            await().atMost(LONG)
                    .until(() -> context.getBean(RelayLifecycle.class).isRunning());
            publish(context, "first"); // found by the first look, or by the hint
            await().atMost(LONG).until(() -> recorder.keys().contains("first"));
            publish(context, "second");
            await().atMost(LONG.dividedBy(2)).until(() -> recorder.keys().contains("second"));
        }
    }

    @Test
    void relay_of_a_context_that_failed_to_start_ends_with_its_bean() {
        Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
        RelayLifecycle lifecycle = new RelayLifecycle(
                () -> Relay.on(database.dataSource()).deliverTo(new Recorder()).start());
        lifecycle.start();
        Relay relay = lifecycle.relay();
        assertThat(relay).isNotNull().matches(Relay::isRunning);
        lifecycle.destroy(); // without a stop before
        assertThat(lifecycle.isRunning()).isFalse();
        assertThat(relay.isRunning()).isFalse();
    }

    @Test
    void borrowed_transport_is_the_same_but_for_its_close() {
        Transport owned = new Transport() {
            @Override
            public void send(Delivery delivery, Consumer<Outcome> outcome) {
                outcome.accept(Outcome.confirmed());
            }

            @Override
            public boolean keepsOrder() {
                return true;
            }

            @Override
            public int capacity() {
                return 17;
            }

            @Override
            public String description() {
                return "own description";
            }

            @Override
            public String system() {
                return "own system";
            }

            @Override
            public void close() {
                throw new AssertionError("closed by who borrowed it");
            }
        };
        Transport borrowed = BorrowedTransport.of(owned);
        assertThat(borrowed.keepsOrder()).isTrue();
        assertThat(borrowed.capacity()).isEqualTo(17);
        assertThat(borrowed.description()).isEqualTo("own description");
        assertThat(borrowed.system()).isEqualTo("own system");
        borrowed.close();
    }

    @Test
    void relay_starts_after_everything_else_and_stops_before_it() {
        try (GenericApplicationContext context = application(database, new Recorder())) {
            context.registerBean("server", SmartLifecycle.class, () -> new Server(context));
            context.refresh();
            assertThat(story).containsExactly("server starts", "relay starts");
        }
        assertThat(story).containsExactly("server starts", "relay starts", "server stops, relay runs: false");
    }

    /** What listens and serves in an application, one phase before the last. */
    private class Server implements SmartLifecycle {
        private final GenericApplicationContext context;
        private boolean running;

        Server(GenericApplicationContext context) {
            this.context = context;
        }

        @Override
        public void start() {
            story.add("server starts");
            running = true;
        }

        @Override
        public void stop() {
            story.add("server stops, relay runs: "
                    + context.getBean(RelayLifecycle.class).isRunning());
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return SmartLifecycle.DEFAULT_PHASE - 1;
        }
    }

    @Test
    void what_is_under_way_when_the_context_closes_is_finished_and_recorded() throws Exception {
        Held held = new Held();
        GenericApplicationContext context = application(database, held);
        context.refresh();
        publish(context, "1");
        assertThat(held.sent.await(20, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(context::close);
        await().atMost(LONG)
                .until(() ->
                        !context.getBeanFactory().getBean(RelayLifecycle.class).isRunning());
        assertThat(held.poolIsOpen(context)).isTrue();
        held.outcome.accept(Outcome.confirmed());
        closing.get(20, TimeUnit.SECONDS);
        JdbcTemplate jdbc = new JdbcTemplate(database.dataSource());
        assertThat(jdbc.queryForObject("select count(*) from postroom_message", Integer.class))
                .isZero();
        assertThat(jdbc.queryForObject("select count(*) from postroom_lane where owner is not null", Integer.class))
                .isZero();
    }

    /** A destination that answers when the test says so. */
    private static final class Held implements Transport {
        final CountDownLatch sent = new CountDownLatch(1);
        volatile Consumer<Outcome> outcome = ignored -> {};

        @Override
        public void send(Delivery delivery, Consumer<Outcome> answer) {
            outcome = answer;
            sent.countDown();
        }

        boolean poolIsOpen(GenericApplicationContext context) {
            return context.getBeanFactory().getBean(HikariDataSource.class).isRunning();
        }
    }

    @Test
    void stopped_relay_has_given_all_its_connections_back_to_the_pool() {
        try (GenericApplicationContext context = application(Postgres.newest().freshDatabase(), new Recorder())) {
            context.refresh();
            HikariDataSource pool = context.getBean(HikariDataSource.class);
            await().atMost(LONG).until(() -> pool.getHikariPoolMXBean().getActiveConnections() >= 2);
            context.stop();
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    @Test
    void context_can_be_stopped_and_started_again_with_the_same_transport() {
        Recorder recorder = new Recorder();
        try (GenericApplicationContext context = application(database, recorder)) {
            context.refresh();
            context.stop();
            assertThat(context.getBean(RelayLifecycle.class).isRunning()).isFalse();
            publish(context, "while stopped"); // nobody to wake, and no error
            context.start();
            await().atMost(LONG).until(() -> recorder.keys().contains("while stopped"));
            assertThat(recorder.closed).hasValue(0);
        }
        assertThat(recorder.closed).hasValue(1);
    }

    @Test
    void context_that_fails_while_it_starts_leaves_no_relay_behind() {
        GenericApplicationContext context = application(database, new Recorder());
        context.registerBean("broken", SmartLifecycle.class, () -> new Server(context) {
            @Override
            public void start() {
                throw new IllegalStateException("broken");
            }

            @Override
            public int getPhase() {
                return Integer.MAX_VALUE;
            }
        });
        RelayLifecycle[] relay = new RelayLifecycle[1];
        context.addBeanFactoryPostProcessor(factory ->
                factory.addBeanPostProcessor(new org.springframework.beans.factory.config.BeanPostProcessor() {
                    @Override
                    public Object postProcessAfterInitialization(Object bean, String name) {
                        if (bean instanceof RelayLifecycle found) {
                            relay[0] = found;
                        }
                        return bean;
                    }
                }));
        assertThatThrownBy(context::refresh).hasStackTraceContaining("broken");
        assertThat(story).contains("relay starts");
        assertThat(relay[0].isRunning()).isFalse();
    }

    @Test
    @Tag("R63")
    void relay_begins_in_the_background_when_its_database_answers() {
        Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
        CountDownLatch there = new CountDownLatch(1);
        RelayLifecycle late = new RelayLifecycle(() -> {
            if (there.getCount() > 0) {
                throw new DatabaseException("nobody answers", new SQLException("refused", "08001"));
            }
            return Relay.on(database.dataSource()).deliverTo(new Recorder()).start();
        });
        late.start();
        assertThat(late.isRunning()).isTrue();
        assertThat(late.relay()).isNull();
        assertThat(late.waitsFor()).isEqualTo("nobody answers");
        there.countDown();
        await().atMost(LONG).until(() -> late.relay() != null);
        assertThat(late.waitsFor()).isNull();
        late.stop();
        assertThat(late.isRunning()).isFalse();
    }

    @Test
    @Tag("R63")
    void relay_that_still_waits_can_be_stopped() {
        RelayLifecycle waiting = new RelayLifecycle(() -> {
            throw new DatabaseException("nobody answers", new SQLException("refused", "08001"));
        });
        waiting.start();
        waiting.stop();
        assertThat(waiting.isRunning()).isFalse();
        assertThat(waiting.waitsFor()).isNull();
    }

    @Test
    void relay_that_cannot_start_fails_the_context() {
        GenericApplicationContext context = new GenericApplicationContext();
        context.registerBean(HikariDataSource.class, () -> Shop.pool(database)); // without tables
        context.registerBean(
                RelayLifecycle.class,
                () -> new RelayLifecycle(() -> Relay.on(context.getBean(HikariDataSource.class))
                        .deliverTo(new Recorder())
                        .start()));
        assertThatThrownBy(context::refresh).hasStackTraceContaining("there are no Postroom tables");
    }
}
