package dev.postroom.spring.boot;

import dev.postroom.micrometer.ObservationTracing;
import dev.postroom.spi.Tracing;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/**
 * Messages carry the application's traces along, where it has any. A registry of observations alone is no reason: the actuator
 * always brings one, and without a tracer it would cost every message something and show nobody anything.
 */
@AutoConfiguration(
        afterName = {
            // Boot 3, Boot 4
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.tracing.MicrometerTracingAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration"
        })
@ConditionalOnClass({ObservationRegistry.class, Tracer.class, ObservationTracing.class})
@ConditionalOnBean({ObservationRegistry.class, Tracer.class})
@ConditionalOnProperty(name = "postroom.tracing.enabled", matchIfMissing = true)
public class PostroomTracingAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Tracing postroomTracing(ObservationRegistry registry, Tracer tracer) {
        // Spring Boot has a tracer that does nothing, for when tracing is switched off.
        return tracer == Tracer.NOOP ? Tracing.NONE : ObservationTracing.on(registry);
    }
}
