package dev.postroom.admin;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.Principal;
import java.util.Arrays;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.web.servlet.function.RouterFunction;

/** An application of its own with an admin surface, and who comes to it: {@code X-User: anna/POSTROOM_VIEWER}, with more roles after more slashes. */
final class AdminServer implements AutoCloseable {
    private final ConfigurableApplicationContext context;
    private final HttpClient client = HttpClient.newHttpClient();
    private final int port;

    /** What the application makes of JSON itself must not matter. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    AdminServer(Admin admin) {
        context = new SpringApplicationBuilder(Application.class)
                .bannerMode(Banner.Mode.OFF)
                .registerShutdownHook(false)
                .logStartupInfo(false)
                .properties(Map.of(
                        "server.port", "0",
                        "server.address", "127.0.0.1",
                        "spring.jackson.property-naming-strategy", "SNAKE_CASE",
                        "spring.jackson.default-property-inclusion", "non_null"))
                .initializers((ApplicationContextInitializer<GenericApplicationContext>) starting -> {
                    starting.registerBean("adminRoutes", RouterFunction.class, admin::routes);
                    starting.registerBean("login", Filter.class, () -> login());
                })
                .run();
        port = Integer.parseInt(context.getEnvironment().getProperty("local.server.port", "0"));
    }

    private static Filter login() {
        return (request, response, chain) -> {
            String user = ((HttpServletRequest) request).getHeader("X-User");
            chain.doFilter(user == null ? request : new SignedIn((HttpServletRequest) request, user), response);
        };
    }

    private static final class SignedIn extends HttpServletRequestWrapper {
        private final String[] user;

        SignedIn(HttpServletRequest request, String user) {
            super(request);
            this.user = user.split("/", -1);
        }

        @Override
        public Principal getUserPrincipal() {
            return () -> user[0];
        }

        @Override
        public boolean isUserInRole(String role) {
            return Arrays.asList(user).subList(1, user.length).contains(role);
        }
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    HttpResponse<String> get(String path) {
        return send(request(path).header("X-User", "vera/POSTROOM_VIEWER"));
    }

    HttpResponse<String> post(String path, String body) {
        return send(posting(path, body).header("X-User", "otto/POSTROOM_OPERATOR"));
    }

    HttpResponse<String> get(String user, String path) {
        return send(request(path).header("X-User", user));
    }

    HttpResponse<String> post(String user, String path, String body) {
        return send(posting(path, body).header("X-User", user));
    }

    HttpRequest.Builder posting(String path, String body) {
        return request(path).header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body));
    }

    @Override
    public void close() {
        context.close();
    }
}
