package dev.postroom.spring.boot3;

import dev.postroom.spring.boot.OutboxHealth;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;

/** An outbox's health in the words of Spring Boot 3. */
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
