package dev.postroom.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.testbed.H2;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** The admin surface in an application, with whichever Spring Boot a subclass has on its class path. */
@Tag("R54")
@Tag("R55")
public abstract class AdminContract {

    private static HttpResponse<String> get(ConfigurableApplicationContext context, String path) throws Exception {
        String port = context.getEnvironment().getProperty("local.server.port");
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .build(),
                        BodyHandlers.ofString());
    }

    @Test
    void is_there_when_it_is_switched_on_and_open_to_nobody_who_is_not_signed_in() throws Exception {
        try (ConfigurableApplicationContext context = Application.of(Producer.class, H2.freshDatabase())
                .migrating()
                .with("postroom.admin.enabled", "true")
                .with("postroom.health.backlog.degraded", "50")
                .runWeb()) {
            HttpResponse<String> me = get(context, "/postroom/api/v1/me");
            assertThat(me.statusCode()).isEqualTo(200);
            assertThat(me.body()).contains("\"role\":\"none\",\"signedIn\":false");
            HttpResponse<String> stats = get(context, "/postroom/api/v1/stats");
            assertThat(stats.statusCode()).isEqualTo(403);
            assertThat(stats.headers().firstValue("Content-Type")).contains("application/problem+json;charset=UTF-8");
            assertThat(stats.body()).contains("postroom.admin.viewer-role");
            assertThat(get(context, "/postroom/api/v1/openapi.json").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void is_not_there_unless_it_is_switched_on() throws Exception {
        try (ConfigurableApplicationContext context =
                Application.of(Producer.class, H2.freshDatabase()).migrating().runWeb()) {
            assertThat(get(context, "/postroom/api/v1/me").statusCode()).isEqualTo(404);
        }
    }
}
