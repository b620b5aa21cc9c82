package dev.postroom.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postroom.Message;
import dev.postroom.inbox.Handling;
import dev.postroom.inbox.Inbox;
import dev.postroom.operations.HealthThresholds;
import dev.postroom.operations.Readings;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.spi.Tracing;
import dev.postroom.spring.RelayLifecycle;
import dev.postroom.spring.boot.jpa.JpaShop;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TcpProxy;
import dev.postroom.testbed.TestDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** What an application gets from the starter, the same with Spring Boot 3.5 and 4. */
public abstract class ApplicationContract {
    private static final Duration LONG = Duration.ofSeconds(30);

    private static int messages(TestDatabase database) {
        Integer count = new JdbcTemplate(database.dataSource())
                .queryForObject("select count(*) from postroom_message", Integer.class);
        return count == null ? -1 : count;
    }

    /** Runs it, and expects that it does not start. */
    private static void refused(Application application, String... words) {
        assertThatThrownBy(() -> application.run().close()).satisfies(error -> {
            for (String word : words) {
                assertThat(error).hasStackTraceContaining(word);
            }
        });
    }

    @Nested
    @Tag("R2")
    class Publishing {
        @Test
        void order_is_published_delivered_and_answered_on_postgresql() {
            TestDatabase database = Postgres.newest().freshDatabase();
            try (ConfigurableApplicationContext context =
                    Application.of(Shop.class, database).migrating().run()) {
                Shop.Orders orders = context.getBean(Shop.Orders.class);
                assertThatThrownBy(() -> context.getBean(Shop.Accidents.class).createAndFail("lost"))
                        .hasMessage("failed");
                orders.create("1");
                List<String> shipped = context.getBean(Shop.class).shipped();
                await().atMost(LONG).until(() -> shipped.size() >= 2);
                assertThat(shipped).containsExactly("1", "return of 1");
                isMeasured(context.getBean(MeterRegistry.class));
                assertThat(context.getBeansOfType(Tracing.class).values())
                        .as("without a tracer nobody pays for traces")
                        .allSatisfy(tracing -> assertThat(tracing).isSameAs(Tracing.NONE));
            }
            assertThat(messages(database)).isZero();
        }

        private static void isMeasured(MeterRegistry registry) {
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(registry.get("postroom.published")
                                    .tag("destination", "warehouse")
                                    .counter()
                                    .count())
                            .isEqualTo(2));
            assertThat(registry.get("postroom.lanes.owned").gauge().value()).isEqualTo(64);
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(
                                    registry.get("postroom.backlog").gauge().value())
                            .isNotNegative());
        }

        @Test
        void domain_events_of_jpa_aggregates_are_written_with_them() {
            TestDatabase database = Postgres.newest().freshDatabase();
            Application application =
                    Application.of(JpaShop.class, database).migrating().with("spring.jpa.hibernate.ddl-auto", "create");
            try (ConfigurableApplicationContext context = application.run()) {
                JpaShop.Desk desk = context.getBean(JpaShop.Desk.class);
                assertThatThrownBy(() -> desk.place("lost", true)).hasMessage("failed");
                desk.place("1", false);
                JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
                assertThat(jdbc.queryForList("select ordering_key from postroom_message", String.class))
                        .containsExactly("1");
                assertThat(jdbc.queryForList("select id from shop_order", String.class))
                        .containsExactly("1");
            }
        }
    }

    @Nested
    @Tag("R63")
    class Starting_before_the_database {
        @Test
        void relay_begins_when_the_database_answers_and_health_says_so_meanwhile() {
            TestDatabase database = Postgres.newest().freshDatabase();
            URI address = URI.create(database.url().substring("jdbc:".length()));
            try (TcpProxy proxy = TcpProxy.to(address.getHost(), address.getPort())) {
                proxy.refuse();
                // Hibernate would otherwise ask the database what it is, and end the application when nobody answers.
                Application application = Application.of(Shop.class, database)
                        .migrating()
                        .with("spring.jpa.properties.hibernate.dialect", "org.hibernate.dialect.PostgreSQLDialect")
                        .with("spring.jpa.properties.hibernate.boot.allow_jdbc_metadata_access", "false")
                        .with("spring.jpa.hibernate.ddl-auto", "none")
                        .with("spring.sql.init.mode", "never")
                        .with(
                                "spring.datasource.url",
                                database.url().replace(":" + address.getPort() + "/", ":" + proxy.port() + "/"));
                try (ConfigurableApplicationContext context = application.run()) {
                    RelayLifecycle relay = context.getBean(RelayLifecycle.class);
                    assertThat(relay.relay()).isNull();
                    assertThat(relay.waitsFor()).contains("cannot connect to the database");
                    assertThat(health(context).status()).isEqualTo("DOWN");
                    assertThat(health(context).details().get("relay"))
                            .asString()
                            .startsWith("waits for the database: cannot connect");
                    proxy.accept();
                    await().atMost(LONG).until(() -> relay.relay() != null);
                    context.getBean(Shop.Orders.class).create("1");
                    await().atMost(LONG)
                            .until(() -> context.getBean(Shop.class).shipped().contains("1"));
                    await().atMost(LONG).until(() -> health(context).status().equals("UP"));
                }
            }
        }

        private OutboxHealth.Report health(ConfigurableApplicationContext context) {
            return new OutboxHealth(
                            context.getBean(Outbox.class),
                            context.getBean(Readings.class),
                            HealthThresholds.DEFAULT,
                            context.getBean(RelayLifecycle.class))
                    .report();
        }
    }

    @Nested
    class Delivering {
        private final TestDatabase database = H2.freshDatabase();

        @Test
        void application_with_nowhere_to_deliver_to_only_publishes() {
            try (ConfigurableApplicationContext context =
                    Application.of(Producer.class, database).migrating().run()) {
                assertThat(context.getBeansOfType(Outbox.class)).hasSize(1);
                assertThat(context.getBeansOfType(RelayLifecycle.class)).isEmpty();
                MeterRegistry registry = context.getBean(MeterRegistry.class);
                await().atMost(LONG)
                        .until(() -> registry.get("postroom.backlog").gauge().value() == 0);
                assertThat(registry.find("postroom.lanes.owned").gauge())
                        .as("of a relay that there is not")
                        .isNull();
            }
        }

        @Test
        void destination_in_the_settings_is_reason_to_deliver() {
            try (ConfigurableApplicationContext context = Application.of(Producer.class, database)
                    .migrating()
                    .with("postroom.destinations.out.type", "log")
                    .with("postroom.destinations.out.rate", "100")
                    .with("postroom.routes[0].topic", "orders.*")
                    .with("postroom.routes[0].destinations", "out")
                    .with("postroom.routes[0].on-failure", "skip")
                    .with("postroom.routes[0].retry.preset", "quick")
                    .with("postroom.relay.lease", "20s")
                    .with("postroom.relay.max-in-flight-bytes", "1MB")
                    .with("postroom.retention", "none")
                    .with("postroom.metrics.enabled", "false")
                    .run()) {
                assertThat(context.getBean(MeterRegistry.class)
                                .find("postroom.lanes.owned")
                                .gauge())
                        .isNull();
                RelayLifecycle relay = context.getBean(RelayLifecycle.class);
                assertThat(relay.relay().destinations()).containsExactly("out");
                assertThat(relay.relay().isRunning()).isTrue();
            }
        }

        @Test
        void transport_bean_is_a_destination_of_its_name_with_settings_of_that_name() {
            try (ConfigurableApplicationContext context = Application.of(Shop.class, database)
                    .migrating()
                    .with("postroom.destinations.warehouse.timeout", "5s")
                    .run()) {
                assertThat(context.getBean(RelayLifecycle.class).relay().destinations())
                        .containsExactly("warehouse");
            }
        }

        @Test
        @Tag("R12")
        void commit_wakes_the_relay_long_before_it_would_look_by_itself() {
            try (ConfigurableApplicationContext context = Application.of(Shop.class, database)
                    .migrating()
                    .with("postroom.relay.poll-min", "5m")
                    .with("postroom.relay.poll-max", "10m")
                    .run()) {
                List<String> shipped = context.getBean(Shop.class).shipped();
                for (String order : List.of("1", "2")) { // the first may be found by the relay's first look
                    context.getBean(Shop.Orders.class).create(order);
                    await().atMost(LONG).until(() -> shipped.contains("return of " + order));
                }
            }
        }

        @Test
        void application_may_be_told_not_to_deliver() {
            try (ConfigurableApplicationContext context = Application.of(Shop.class, database)
                    .migrating()
                    .with("postroom.relay.enabled", "false")
                    .with("postroom.source", "/shop")
                    .run()) {
                assertThat(context.getBeansOfType(RelayLifecycle.class)).isEmpty();
                context.getBean(Shop.Orders.class).create("1");
            }
            assertThat(new JdbcTemplate(database.dataSource())
                            .queryForList("select source from postroom_message", String.class))
                    .containsExactly("/shop");
        }
    }

    @Nested
    @Tag("R40")
    class Consuming {
        @Test
        void inbox_is_there_for_who_asks_for_it() {
            try (ConfigurableApplicationContext context = Application.of(Producer.class, H2.freshDatabase())
                    .migrating()
                    .with("postroom.database.table-prefix", "mine_")
                    .run()) {
                Inbox inbox = context.getBean(Inbox.class);
                assertThat(inbox.handleOnce("billing", "m1", tx -> {})).isEqualTo(Handling.HANDLED);
                assertThat(inbox.handleOnce("billing", "m1", tx -> {})).isEqualTo(Handling.DUPLICATE);
            }
        }

        @Test
        @Tag("R65")
        void what_a_handler_writes_by_jpa_and_the_record_that_it_ran_are_one_commit() {
            Application application = Application.of(JpaShop.class, H2.freshDatabase())
                    .migrating()
                    .with("spring.jpa.hibernate.ddl-auto", "create");
            try (ConfigurableApplicationContext context = application.run()) {
                Inbox inbox = context.getBean(Inbox.class);
                JpaShop.Desk desk = context.getBean(JpaShop.Desk.class);
                assertThatThrownBy(() -> inbox.handleOnce("shop", "m1", tx -> {
                            desk.place("1", false);
                            throw new IllegalStateException("after the service");
                        }))
                        .hasMessage("after the service");
                inbox.handleOnce("shop", "m1", tx -> desk.place("1", false));
                inbox.handleOnce("shop", "m1", tx -> desk.place("2", false));
                JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
                assertThat(jdbc.queryForList("select id from shop_order", String.class))
                        .containsExactly("1");
                assertThat(jdbc.queryForList("select ordering_key from postroom_message", String.class))
                        .containsExactly("1");
            }
        }
    }

    @Nested
    @Tag("R53")
    class Traces {
        private final TestDatabase database = H2.freshDatabase();

        private String publishedHeaders(String enabled) {
            try (ConfigurableApplicationContext context = Application.of(TracedProducer.class, database)
                    .migrating()
                    .with("postroom.tracing.enabled", enabled)
                    .run()) {
                context.getBean(Outbox.class).publishInOwnTransaction(Message.to("orders"));
                return String.valueOf(context.getBean(JdbcTemplate.class)
                        .queryForObject("select headers from postroom_message", String.class));
            }
        }

        @Test
        void message_carries_the_trace_of_an_application_that_has_a_tracer() {
            assertThat(publishedHeaders("true")).contains(TracedProducer.CONTEXT);
        }

        @Test
        void traces_can_be_switched_off() {
            assertThat(publishedHeaders("false")).doesNotContain(TracedProducer.CONTEXT);
        }
    }

    @Nested
    class Tables {
        private final TestDatabase database = H2.freshDatabase();

        @Test
        void missing_tables_are_an_error_that_says_what_to_do() {
            refused(
                    Application.of(Producer.class, database),
                    "there are no Postroom tables",
                    "postroom.database.migrate=true");
        }

        @Test
        void tables_that_are_there_are_only_checked() {
            Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
            Application.of(Producer.class, database).run().close();
        }

        @Test
        void prefix_is_that_of_the_settings() {
            Application.of(Producer.class, database)
                    .migrating()
                    .with("postroom.database.table-prefix", "mine_")
                    .run()
                    .close();
            assertThat(new JdbcTemplate(database.dataSource())
                            .queryForObject("select count(*) from mine_message", Integer.class))
                    .isZero();
        }
    }

    @Nested
    class SeveralDataSources {
        private final TestDatabase database = H2.freshDatabase();

        private Application application(Class<?> source) {
            return Application.of(source, database)
                    .migrating()
                    .with("spring.data.jpa.repositories.enabled", "false"); // these want a single data source
        }

        @Test
        void outbox_is_in_the_marked_one() {
            try (ConfigurableApplicationContext context =
                    application(TwoDataSources.Marked.class).run()) {
                assertThat(context.getBeansOfType(DataSource.class)).hasSize(2);
            }
            assertThat(messages(database)).isZero();
        }

        @Test
        void none_marked_is_an_error_that_says_what_to_do() {
            refused(application(TwoDataSources.Unmarked.class), "@OutboxDataSource");
        }
    }

    @Nested
    class WrongSettings {
        private final TestDatabase database = H2.freshDatabase();

        private void names(String expected, String key, String value) {
            refused(Application.of(Producer.class, database).migrating().with(key, value), expected);
        }

        @Test
        void error_names_the_setting() {
            names("postroom.relay.leas", "postroom.relay.leas", "10s");
            names("postroom.relay.enabled is true", "postroom.relay.enabled", "true");
            names("1 to 1000 topics", "postroom.metrics.topics", "100000");
            names("postroom.retention must be", "postroom.retention", "for ever");
            names("postroom.limits.headers", "postroom.limits.headers", "0");
            names("postroom.database.table-prefix", "postroom.database.table-prefix", "a-b");
            names("postroom.dedup-window", "postroom.dedup-window", "1s");
            names("postroom.destinations.out.type is none", "postroom.destinations.out.type", "pigeon");
            names("postroom.destinations.out.type is missing", "postroom.destinations.out.rate", "5");
        }

        @Test
        void module_that_a_destination_needs_is_named() {
            // The only one that is not on the class path of the starters' tests.
            names("which is not on the class path: add postroom-http", "postroom.destinations.out.type", "http");
        }

        @Test
        void type_for_a_destination_that_is_a_bean_is_refused() {
            refused(
                    Application.of(Shop.class, database)
                            .migrating()
                            .with("postroom.destinations.warehouse.type", "log"),
                    "postroom.destinations.warehouse.type is log, but there is a Transport bean");
        }
    }

    @Test
    void editors_find_the_settings_described() throws Exception {
        String ours = "";
        for (var urls = PostroomProperties.class
                        .getClassLoader()
                        .getResources("META-INF/spring-configuration-metadata.json");
                urls.hasMoreElements(); ) {
            try (InputStream in = urls.nextElement().openStream()) {
                String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                ours = text.contains("\"postroom.relay.lease\"") ? text : ours;
            }
        }
        assertThat(ours)
                .contains("\"postroom.database.migrate\"", "\"postroom.retry.base\"", "\"postroom.destinations\"")
                .contains("After how long without a sign of life others take over.");
    }
}
