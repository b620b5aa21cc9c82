package dev.postroom.spring.boot;

import dev.postroom.micrometer.PostroomMetrics;
import dev.postroom.outbox.Outbox;
import dev.postroom.relay.RelayListener;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/**
 * The outbox and the relay among the application's metrics, where the application has such things. One that has made its own
 * {@link PostroomMetrics} has said what to watch.
 */
@AutoConfiguration(
        after = PostroomAutoConfiguration.class,
        afterName = {
            // Boot 3, Boot 4
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass({MeterRegistry.class, PostroomMetrics.class})
@ConditionalOnSingleCandidate(MeterRegistry.class)
@ConditionalOnBean(PreparedDatabase.class)
@ConditionalOnMissingBean(PostroomMetrics.class)
@ConditionalOnProperty(name = "postroom.metrics.enabled", matchIfMissing = true)
public class PostroomMetricsAutoConfiguration {

    @Bean
    PostroomMetrics postroomMetrics(MeterRegistry registry, PostroomProperties settings) {
        PostroomProperties.MetricsProperties wanted = settings.metrics();
        PostroomMetrics.Builder builder = PostroomMetrics.configure(registry)
                .poisonAttempts(wanted.poisonAttempts())
                .interval(wanted.interval());
        Optional.ofNullable(wanted.topics()).ifPresent(builder::byTopic);
        Optional.ofNullable(wanted.tenants()).ifPresent(builder::byTenant);
        return builder.build();
    }

    /** Made when a relay asks for it: an application that only publishes has none, and shows none. */
    @Bean
    @Lazy
    RelayListener postroomRelayMetrics(PostroomMetrics metrics) {
        return metrics.relayListener();
    }

    /** When everything else is there: the outbox may be a bean of the application's own. */
    @Bean
    SmartInitializingSingleton postroomOutboxMetrics(PostroomMetrics metrics, ObjectProvider<Outbox> outbox) {
        return () -> outbox.ifUnique(only -> metrics.watch(only.store()));
    }
}
