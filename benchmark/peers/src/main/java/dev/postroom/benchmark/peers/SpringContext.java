package dev.postroom.benchmark.peers;

import java.util.Map;
import javax.sql.DataSource;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/** Starts an application of Spring Boot with nothing in it but a database, one listener, and what configures itself. */
final class SpringContext {
    private SpringContext() {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    static <T> ConfigurableApplicationContext start(
            DataSource database, Class<T> type, T listener, Map<String, Object> settings) {
        System.setProperty("org.springframework.boot.logging.LoggingSystem", "none"); // ours is set up already
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .registerShutdownHook(false)
                .properties(settings)
                .initializers((ApplicationContextInitializer<GenericApplicationContext>) starting -> {
                    starting.registerBean(DataSource.class, () -> database, bean -> bean.setDestroyMethodName(""));
                    starting.registerBean(type, () -> listener);
                })
                .run();
    }
}
