package dev.postroom.spring.boot4;

import dev.postroom.spring.boot.OutboxHealth;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** An outbox's health in the words of Spring Boot 4. */
final class OutboxHealthIndicator extends AbstractHealthIndicator {
    private final OutboxHealth outbox;

    OutboxHealthIndicator(OutboxHealth outbox) {
        super("the health check of the outbox failed");
        this.outbox = outbox;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        OutboxHealth.Report report = outbox.report();
        builder.status(report.status()).withDetails(report.details());
    }
}
