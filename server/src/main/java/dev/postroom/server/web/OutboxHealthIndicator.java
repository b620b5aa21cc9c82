package dev.postroom.server.web;

import dev.postroom.admin.Admin;
import dev.postroom.admin.view.HealthView;
import dev.postroom.operations.Health.Code;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** The outbox in the words of Spring Boot. */
record OutboxHealthIndicator(Admin admin) implements HealthIndicator {

    @Override
    public Health health() {
        dev.postroom.operations.Health health = admin.health();
        return Health.status(health.status().name())
                .withDetail("reasons", HealthView.of(health).reasons())
                .build();
    }

    /** Whether this server can work at all, which no backlog and no destination has a say in. */
    HealthIndicator database() {
        return () -> admin.health().reasons().stream().anyMatch(reason -> reason.code() == Code.DATABASE)
                ? Health.down().build()
                : Health.up().build();
    }
}
