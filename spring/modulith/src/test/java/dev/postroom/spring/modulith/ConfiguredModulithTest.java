package dev.postroom.spring.modulith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postroom.handler.Handlers;
import dev.postroom.spring.boot.Application;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.RoutingTarget;
import org.springframework.modulith.events.support.EventExternalizerModuleListener;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Applications that say by a bean of their own, and not by annotations, what is externalized and how. */
class ConfiguredModulithTest {
    record Paid(String order, String secret) {}

    /** What others get to see of it. */
    record PaidForOthers(String order) {}

    @Configuration
    @EnableAutoConfiguration
    static class Configured {
        private final List<String> delivered = new CopyOnWriteArrayList<>();

        @Bean
        EventExternalizationConfiguration externalization() {
            return EventExternalizationConfiguration.externalizing()
                    .select(event -> event instanceof Paid)
                    .mapping(Paid.class, paid -> new PaidForOthers(paid.order()))
                    .headers(PaidForOthers.class, paid -> Map.of("pages", 3))
                    .route(
                            Paid.class,
                            paid -> RoutingTarget.forTarget("payments").andKey(paid.secret()))
                    .build();
        }

        // in docs/modulith.md
        @Bean
        MessageRefinement types() {
            return (message, event) -> message.type(event.getClass().getSimpleName());
        }
        // until here

        @Bean
        Handlers audit() {
            return Handlers.create()
                    .on(
                            "Paid",
                            PaidForOthers.class,
                            (paid, delivery) -> delivered.add(paid.order() + " " + delivery.topic() + " "
                                    + delivery.key() + " " + delivery.headers()));
        }

        List<String> delivered() { // its fields are those of the proxy
            return delivered;
        }
    }

    @Configuration
    @Import(Configured.class)
    static class WithBroker {
        @Bean
        EventExternalizerModuleListener broker(EventExternalizationConfiguration configuration) {
            return new EventExternalizerModuleListener(
                    configuration, (payload, target) -> CompletableFuture.completedFuture(null));
        }
    }

    @Test
    void event_is_mapped_routed_refined_and_delivered() {
        try (ConfigurableApplicationContext context = run(Configured.class)) {
            publish(context, new Paid("1", "s3"));
            List<String> delivered = context.getBean(Configured.class).delivered();
            await().atMost(Duration.ofSeconds(30)).until(() -> !delivered.isEmpty());
            assertThat(delivered).containsExactly("1 payments s3 {pages=3}");
        }
    }

    @Test
    void externalization_that_is_switched_off_writes_nothing() {
        TestDatabase database = H2.freshDatabase();
        try (ConfigurableApplicationContext context = application(Configured.class, database)
                .with("spring.modulith.events.externalization.enabled", "false")
                .run()) {
            assertThat(context.getBeansOfType(ExternalizedEventListener.class)).isEmpty();
        }
    }

    @Test
    void second_way_to_a_broker_is_an_error_that_says_what_to_do() {
        assertThatThrownBy(() -> run(WithBroker.class).close())
                .hasStackTraceContaining("would be sent twice, through the outbox and by [broker]")
                .hasStackTraceContaining("remove Spring Modulith's module for that broker");
    }

    private static void publish(ConfigurableApplicationContext context, Object event) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> context.publishEvent(event));
    }

    private static ConfigurableApplicationContext run(Class<?> source) {
        return application(source, H2.freshDatabase()).run();
    }

    private static Application application(Class<?> source, TestDatabase database) {
        return Application.of(source, database)
                .migrating()
                .with("spring.modulith.events.jdbc.schema-initialization.enabled", "true");
    }
}
