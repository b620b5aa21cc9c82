package dev.postroom.spring.boot;

import dev.postroom.testbed.TestDatabase;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A real Spring Boot application, with settings of a test's own. */
public final class Application {
    private final Map<String, Object> settings = new LinkedHashMap<>();
    private final Class<?> source;

    private Application(Class<?> source) {
        this.source = source;
    }

    public static Application of(Class<?> source, TestDatabase database) {
        return new Application(source)
                .with("spring.datasource.url", database.url())
                .with("spring.datasource.username", database.username())
                .with("spring.datasource.password", database.password())
                .with("spring.datasource.hikari.maximum-pool-size", "8")
                .with("spring.datasource.hikari.minimum-idle", "1")
                .with("spring.jpa.open-in-view", "false");
    }

    public Application with(String key, String value) {
        settings.put(key, value);
        return this;
    }

    public Application migrating() {
        return with("postroom.database.migrate", "true");
    }

    public ConfigurableApplicationContext run() {
        return run(WebApplicationType.NONE);
    }

    /** With a web server on a free port. */
    public ConfigurableApplicationContext runWeb() {
        return with("server.port", "0").with("server.address", "127.0.0.1").run(WebApplicationType.SERVLET);
    }

    private ConfigurableApplicationContext run(WebApplicationType web) {
        return new SpringApplicationBuilder(source)
                .web(web)
                .bannerMode(Banner.Mode.OFF)
                .registerShutdownHook(false)
                .logStartupInfo(false)
                .properties(settings)
                .run();
    }
}
