package dev.postroom.server.web;

import dev.postroom.PostroomException;
import dev.postroom.admin.Access;
import dev.postroom.admin.Admin;
import dev.postroom.admin.Rights;
import dev.postroom.admin.Role;
import dev.postroom.admin.Visitor;
import dev.postroom.spi.Store;
import java.net.Inet6Address;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.bridge.SLF4JBridgeHandler;
import org.springframework.boot.Banner;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.crypto.password.PasswordEncoder;

/** A running admin surface; {@link #close()} ends it once the requests that are under way are answered, or after 5 s. */
public final class WebServer implements AutoCloseable {
    /** Boot would take the log over, which is set up already. */
    private static final String LOGGING = "org.springframework.boot.logging.LoggingSystem";

    private final ConfigurableApplicationContext context;
    private final Admin admin;
    private final String url;

    private WebServer(ConfigurableApplicationContext context, Admin admin, String url) {
        this.context = context;
        this.admin = admin;
        this.url = url;
    }

    public static WebServer start(Store store, AdminSettings settings, ServerMetrics metrics) {
        AuthenticationManager manager = manager(settings);
        Admin admin = admin(store, settings, manager);
        metrics.watch(store);
        System.setProperty(LOGGING, "none");
        // Tomcat logs through Java's own logging, which would print by itself.
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
        try {
            ConfigurableApplicationContext context = new SpringApplicationBuilder(WebConfiguration.class)
                    .environment(new OwnEnvironment())
                    .bannerMode(Banner.Mode.OFF)
                    .logStartupInfo(false)
                    .registerShutdownHook(false)
                    .initializers((ApplicationContextInitializer<GenericApplicationContext>) starting -> {
                        starting.registerBean(Admin.class, () -> admin, bean -> bean.setDestroyMethodName(""));
                        starting.registerBean(AdminSettings.class, () -> settings);
                        starting.registerBean(AuthenticationManager.class, () -> manager);
                        metrics.register(starting);
                    })
                    .run(arguments(settings));
            admin.start();
            String scheme = settings.entrance().tls() == null ? "http" : "https";
            String port = context.getEnvironment().getProperty("local.server.port", "");
            return new WebServer(context, admin, scheme + "://" + host(settings) + ":" + port + "/");
        } catch (RuntimeException e) {
            admin.close();
            throw explained(e, settings);
        }
    }

    private static Admin admin(Store store, AdminSettings settings, AuthenticationManager manager) {
        Rights whoeverIsHere = Rights.of(Role.OPERATOR).revealing(true);
        Access local = request -> new Visitor(settings.localName(), whoeverIsHere, false, false, false);
        Admin.Builder builder = Admin.on(store)
                .access(settings.isOpen() ? local : new UserAccess())
                .statementTimeout(settings.statementTimeout())
                .health(settings.health())
                .redaction(settings.redaction());
        if (!settings.isOpen()) {
            new SignIn(manager, settings).endpoints().forEach(builder::endpoint);
        }
        return builder.build();
    }

    private static AuthenticationManager manager(AdminSettings settings) {
        PasswordEncoder encoder = Passwords.encoder(settings.users());
        DaoAuthenticationProvider provider = new DaoAuthenticationProvider(Passwords.users(settings.users(), encoder));
        provider.setPasswordEncoder(encoder);
        return new LimitedSignIn(new ProviderManager(provider), new SignInLimit(System::nanoTime));
    }

    /** As arguments, which nothing overrides. */
    private static String[] arguments(AdminSettings settings) {
        List<String> arguments = new ArrayList<>(List.of(
                "spring.config.location=optional:classpath:/dev/postroom/server/none/",
                "spring.main.lazy-initialization=false",
                "spring.jmx.enabled=false",
                "spring.servlet.multipart.enabled=false",
                "server.shutdown=graceful",
                // Only ProxyValve believes what proxies say.
                "server.forward-headers-strategy=none",
                "spring.lifecycle.timeout-per-shutdown-phase=5s",
                "server.tomcat.threads.max=16",
                "server.tomcat.threads.min-spare=2",
                "server.tomcat.max-connections=2000",
                "server.tomcat.accept-count=50",
                "server.tomcat.connection-timeout=20s",
                "server.tomcat.max-swallow-size=0",
                "server.max-http-request-header-size=16KB",
                // It would read a form of any length into memory.
                "spring.mvc.formcontent.filter.enabled=false",
                "server.compression.enabled=true",
                "server.compression.mime-types=application/json,text/html,text/css,text/javascript",
                "server.servlet.session.timeout=8h",
                "server.servlet.session.cookie.name=POSTROOM_SESSION",
                "server.servlet.session.cookie.http-only=true",
                "server.servlet.session.tracking-modes=cookie",
                "server.error.whitelabel.enabled=false",
                "spring.web.resources.add-mappings=false",
                "management.endpoints.web.exposure.include=health,prometheus",
                "management.endpoints.web.discovery.enabled=false",
                "management.endpoint.health.probes.enabled=true",
                "management.endpoint.health.group.readiness.include=readinessState,postroomDatabase",
                "management.endpoint.health.status.order=DOWN,OUT_OF_SERVICE,DEGRADED,UNKNOWN,UP",
                "management.endpoint.health.show-details=" + (settings.isOpen() ? "always" : "when-authorized"),
                "management.endpoint.health.roles=" + Roles.ALL_TENANTS,
                "management.health.diskspace.enabled=false",
                "management.health.ssl.enabled=false"));
        arguments.add("server.port=" + settings.port());
        arguments.add("server.address=" + settings.address().getHostAddress());
        TlsSettings tls = settings.entrance().tls();
        if (tls != null) {
            arguments.addAll(tls.arguments());
        }
        return arguments.stream().map("--"::concat).toArray(String[]::new);
    }

    private static String host(AdminSettings settings) {
        if (settings.address().isAnyLocalAddress()) {
            return "localhost";
        }
        String address = settings.address().getHostAddress();
        return settings.address() instanceof Inet6Address ? "[" + address + "]" : address;
    }

    private static RuntimeException explained(RuntimeException e, AdminSettings settings) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof PortInUseException || cause instanceof java.net.BindException) {
                return new PostroomException(
                        "port " + settings.port() + " at " + settings.address().getHostAddress()
                                + " is in use or cannot be had: end the program that has it, or choose another with"
                                + " postroom.admin.port (0 for any free one)",
                        e);
            }
            if (cause instanceof PostroomException known) {
                return known;
            }
        }
        return new PostroomException("the admin surface cannot start: " + e.getMessage(), e);
    }

    /** Where the page is. */
    public String url() {
        return url;
    }

    public Admin admin() {
        return admin;
    }

    @Override
    public void close() {
        context.close();
        admin.close();
    }
}
