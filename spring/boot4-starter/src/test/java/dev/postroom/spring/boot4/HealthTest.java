package dev.postroom.spring.boot4;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.spring.RelayLifecycle;
import dev.postroom.spring.boot.Application;
import dev.postroom.spring.boot.Producer;
import dev.postroom.testbed.H2;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;

@Tag("R51")
class HealthTest {

    private static ConfigurableApplicationContext run(String key, String value) {
        return Application.of(Producer.class, H2.freshDatabase())
                .migrating()
                .with(key, value)
                .run();
    }

    @Test
    void relay_that_runs_is_up_and_one_that_was_stopped_is_down() {
        try (ConfigurableApplicationContext context = run("postroom.destinations.out.type", "log")) {
            HealthIndicator indicator = context.getBean("postroomHealthIndicator", HealthIndicator.class);
            Health health = indicator.health();
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails())
                    .containsEntry("relay", "running")
                    .containsEntry("backlog", 0L)
                    .containsEntry("destinations", List.of("out"));
            context.getBean(RelayLifecycle.class).stop();
            assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
        }
    }

    @Test
    void application_that_only_publishes_is_degraded_while_nobody_delivers() {
        try (ConfigurableApplicationContext context = run("postroom.source", "/shop")) {
            Health health = context.getBean("postroomHealthIndicator", HealthIndicator.class)
                    .health();
            assertThat(health.getStatus()).isEqualTo(new Status("DEGRADED"));
            assertThat(health.getDetails().get("reasons")).asString().contains("NO_RELAY");
            assertThat(health.getDetails()).containsEntry("relay", "none in this application");
        }
    }

    @Test
    void health_of_the_outbox_can_be_switched_off() {
        try (ConfigurableApplicationContext context = run("management.health.postroom.enabled", "false")) {
            assertThat(context.containsBean("postroomHealthIndicator")).isFalse();
        }
    }
}
