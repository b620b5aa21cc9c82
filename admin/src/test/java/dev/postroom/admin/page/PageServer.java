package dev.postroom.admin.page;

import dev.postroom.admin.Admin;
import dev.postroom.admin.Role;
import dev.postroom.admin.Visitor;
import dev.postroom.operations.HealthThresholds;
import dev.postroom.spi.Store;
import dev.postroom.testbed.TcpProxy;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.web.servlet.function.RouterFunction;

/** An application with the page at {@code /postroom/}, reached over a line that can be cut. */
final class PageServer implements AutoCloseable {
    /** A test's browser says with it what whoever sits there may do. */
    static final String ROLE = "X-Test-Role";

    /** What one test lets fail must not be another one's verdict. */
    private static final HealthThresholds UNMOVED_BY_FAILURES = new HealthThresholds(
            HealthThresholds.DEFAULT.backlog(),
            HealthThresholds.DEFAULT.oldestAge(),
            new HealthThresholds.Limit<>(2.0, 3.0),
            HealthThresholds.DEFAULT.stuckAfter());

    private final Admin admin;
    private final ConfigurableApplicationContext context;
    private final TcpProxy line;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    PageServer(Store store) {
        admin = Admin.on(store)
                .at("/postroom")
                .access(PageServer::visitor)
                .health(UNMOVED_BY_FAILURES)
                .build();
        admin.start();
        context = new SpringApplicationBuilder(Application.class)
                .bannerMode(Banner.Mode.OFF)
                .registerShutdownHook(false)
                .logStartupInfo(false)
                .properties(Map.of("server.port", "0", "server.address", "127.0.0.1"))
                .initializers((ApplicationContextInitializer<GenericApplicationContext>)
                        starting -> starting.registerBean("adminRoutes", RouterFunction.class, admin::routes))
                .run();
        String port = Objects.requireNonNull(context.getEnvironment().getProperty("local.server.port"));
        line = TcpProxy.to("127.0.0.1", Integer.parseInt(port));
    }

    private static Visitor visitor(HttpServletRequest request) {
        String role = request.getHeader(ROLE);
        return role == null
                ? Visitor.known("anna", Role.OPERATOR)
                : Visitor.known("anna", Role.valueOf(role.toUpperCase(Locale.ROOT)));
    }

    /** The page's own address, with the slash. */
    String address() {
        return "http://127.0.0.1:" + line.port() + "/postroom/";
    }

    TcpProxy line() {
        return line;
    }

    @Override
    public void close() {
        line.close();
        context.close();
        admin.close();
    }
}
