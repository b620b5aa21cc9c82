package dev.postroom.spring.boot4;

import dev.postroom.operations.Readings;
import dev.postroom.outbox.Outbox;
import dev.postroom.spring.RelayLifecycle;
import dev.postroom.spring.boot.OutboxHealth;
import dev.postroom.spring.boot.PostroomAutoConfiguration;
import dev.postroom.spring.boot.PostroomProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The outbox among the application's health, where the application has such a thing. */
@AutoConfiguration(after = PostroomAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnSingleCandidate(Outbox.class)
@ConditionalOnEnabledHealthIndicator("postroom")
public class PostroomHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "postroomHealthIndicator")
    HealthIndicator postroomHealthIndicator(
            Outbox outbox, Readings readings, PostroomProperties settings, ObjectProvider<RelayLifecycle> relay) {
        return new OutboxHealthIndicator(
                new OutboxHealth(outbox, readings, settings.health().thresholds(), relay.getIfUnique()));
    }
}
