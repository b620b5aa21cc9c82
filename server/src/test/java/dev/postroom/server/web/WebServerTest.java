package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postroom.Message;
import dev.postroom.PostroomException;
import dev.postroom.admin.Admin;
import dev.postroom.admin.Role;
import dev.postroom.operations.HealthThresholds;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The real server with Spring Boot 4: one open on loopback, one with users. */
@Tag("R55")
class WebServerTest {
    private static final String BCRYPT = "{bcrypt}$2a$10$dXJ3SW6G7P50lGmMkkmwe.20cQQubK3.HZWzG3YB1tlRy.fqvM/BG";

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static Store store;
    private static WebServer open;
    private static WebServer closed;

    @BeforeAll
    static void start() {
        DataSource dataSource = H2.freshDatabase().dataSource();
        store = Store.open(dataSource, TableNames.DEFAULT);
        store.schema().migrate();
        try (LaneStore lanes = store.openLanes()) {
            lanes.destinations(List.of("billing"));
        }
        Outbox.on(dataSource)
                .publishInOwnTransaction(Message.to("orders").key("1").text("text/plain", "x"));
        open = WebServer.start(store, AdminSettings.local(0, "ada"), new ServerMetrics());
        closed = WebServer.start(
                store,
                new AdminSettings(
                        InetAddress.getLoopbackAddress(),
                        0,
                        List.of(
                                new AdminUser("vera", "look-only", Role.VIEWER),
                                // the hash of "password"
                                new AdminUser("otto", BCRYPT, Role.OPERATOR)),
                        "ada",
                        Admin.DEFAULT_STATEMENT_TIMEOUT,
                        HealthThresholds.DEFAULT),
                new ServerMetrics());
    }

    @AfterAll
    static void stop() {
        open.close();
        closed.close();
    }

    private static HttpRequest.Builder request(WebServer server, String path) {
        return HttpRequest.newBuilder(URI.create(server.url() + path));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return CLIENT.send(request.build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder post(WebServer server, String path, String body) {
        return request(server, path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
    }

    private static HttpRequest.Builder as(HttpRequest.Builder request, String name, String password) {
        String both = name + ":" + password;
        return request.header(
                "Authorization", "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void without_users_everybody_on_this_machine_is_an_operator_and_audited_by_the_systems_name() throws Exception {
        assertThat(send(request(open, "api/v1/me")).body()).contains("\"name\":\"ada\",\"role\":\"operator\"");
        assertThat(send(post(open, "api/v1/pause", "{\"topic\":\"a\",\"reason\":\"test\"}"))
                        .statusCode())
                .isEqualTo(200);
        assertThat(send(request(open, "api/v1/audit")).body()).contains("\"actor\":\"ada\",\"action\":\"pause\"");
        assertThat(send(post(open, "api/v1/sign-in", "{}")).statusCode()).isEqualTo(404);
    }

    @Test
    void without_users_a_foreign_name_for_this_machine_is_refused() throws Exception {
        for (String path : new String[] {"api/v1/stats", "actuator/health", ""}) {
            HttpResponse<String> response = send(request(open, path).header("Host", "evil.example"));
            assertThat(response.statusCode()).isEqualTo(403);
            assertThat(response.body()).contains("postroom.admin.users");
        }
        assertThat(send(request(open, "api/v1/stats").header("Host", "localhost:1"))
                        .statusCode())
                .isEqualTo(200);
        assertThat(send(post(open, "api/v1/pause", "{\"reason\":\"x\"}").header("Origin", "http://evil.example"))
                        .statusCode())
                .isEqualTo(403);
        assertThat(send(post(open, "api/v1/pause", "{\"reason\":\"x\"}").header("Sec-Fetch-Site", "cross-site"))
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void without_users_nobody_comes_in_through_a_proxy_whatever_it_says_of_its_client() throws Exception {
        String[] headers = {
            "X-Forwarded-Host", "postroom.example",
            "X-Forwarded-For", "127.0.0.1, 203.0.113.9",
            "X-Forwarded-For", "127.0.0.1",
            "X-Forwarded-Proto", "http",
            "Forwarded", "for=203.0.113.9;host=postroom.example",
            "Forwarded", "for=127.0.0.1",
            "X-Real-IP", "203.0.113.9",
            "Via", "1.1 proxy"
        };
        for (int i = 0; i < headers.length; i += 2) {
            assertThat(send(request(open, "api/v1/stats").header(headers[i], headers[i + 1]))
                            .statusCode())
                    .as(headers[i])
                    .isEqualTo(403);
        }
        assertThat(send(request(open, "api/v1/stats")).statusCode()).isEqualTo(200);
    }

    @Test
    void with_users_nothing_is_to_be_had_without_a_password() throws Exception {
        HttpResponse<String> tool = send(request(closed, "api/v1/stats"));
        assertThat(tool.statusCode()).isEqualTo(401);
        assertThat(tool.headers().firstValue("WWW-Authenticate")).isPresent();
        HttpResponse<String> browser = send(request(closed, "api/v1/stats").header("Sec-Fetch-Mode", "cors"));
        assertThat(browser.statusCode()).isEqualTo(401);
        assertThat(browser.headers().firstValue("WWW-Authenticate")).isEmpty();
        assertThat(send(request(closed, "api/v1/me")).body()).contains("\"signInNeeded\":true");
        assertThat(send(request(closed, "actuator/prometheus")).statusCode()).isEqualTo(401);
        HttpResponse<String> health = send(request(closed, "actuator/health"));
        assertThat(health.body()).doesNotContain("components", "reasons");
    }

    @Test
    void viewer_may_only_look_and_operator_may_change() throws Exception {
        assertThat(send(as(request(closed, "api/v1/stats"), "vera", "look-only"))
                        .statusCode())
                .isEqualTo(200);
        HttpResponse<String> refused =
                send(as(post(closed, "api/v1/resume", "{\"reason\":\"x\"}"), "vera", "look-only"));
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("takes an operator");
        assertThat(send(as(post(closed, "api/v1/resume", "{\"reason\":\"x\"}"), "otto", "password"))
                        .statusCode())
                .isEqualTo(200);
        assertThat(send(as(request(closed, "actuator/health"), "vera", "look-only"))
                        .body())
                .contains("\"postroom\"", "NO_RELAY");
        assertThat(send(as(request(closed, "api/v1/stats"), "VERA", "look-only"))
                        .statusCode())
                .as("the audit knows people by the names in the settings")
                .isEqualTo(401);
    }

    @Test
    void session_that_somebody_planted_is_worth_nothing_after_signing_in() throws Exception {
        String signIn = "{\"name\":\"vera\",\"password\":\"look-only\"}";
        String planted = session(send(post(closed, "api/v1/sign-in", signIn)));
        String own = session(send(post(closed, "api/v1/sign-in", signIn).header("Cookie", planted)));
        assertThat(own).isNotEqualTo(planted);
        assertThat(send(request(closed, "api/v1/stats").header("Cookie", own)).statusCode())
                .isEqualTo(200);
        assertThat(send(request(closed, "api/v1/stats").header("Cookie", planted))
                        .statusCode())
                .isEqualTo(401);
    }

    private static String session(HttpResponse<String> signedIn) {
        String cookie = signedIn.headers().firstValue("Set-Cookie").orElse("");
        assertThat(cookie).startsWith("POSTROOM_SESSION=");
        return cookie.substring(0, cookie.indexOf(';'));
    }

    @Test
    void session_begins_with_a_cookie_that_scripts_and_other_sites_do_not_get_and_ends() throws Exception {
        HttpResponse<String> signedIn =
                send(post(closed, "api/v1/sign-in", "{\"name\":\"otto\",\"password\":\"password\"}"));
        assertThat(signedIn.statusCode()).as(signedIn.body()).isEqualTo(204);
        String cookie = signedIn.headers().firstValue("Set-Cookie").orElse("");
        assertThat(cookie).startsWith("POSTROOM_SESSION=").contains("HttpOnly", "SameSite=Strict");
        String session = cookie.substring(0, cookie.indexOf(';'));
        assertThat(send(request(closed, "api/v1/me").header("Cookie", session)).body())
                .isEqualTo("{\"name\":\"otto\",\"role\":\"operator\",\"signedIn\":true,\"signInNeeded\":false,"
                        + "\"canSignOut\":true,\"mayReveal\":false,\"tenants\":null}");
        assertThat(send(post(closed, "api/v1/pause", "{\"topic\":\"b\",\"reason\":\"x\"}")
                                .header("Cookie", session))
                        .statusCode())
                .isEqualTo(200);
        assertThat(send(post(closed, "api/v1/pause", "{\"reason\":\"x\"}")
                                .header("Cookie", session)
                                .header("Sec-Fetch-Site", "cross-site"))
                        .statusCode())
                .isEqualTo(403);
        assertThat(send(post(closed, "api/v1/sign-out", "{}").header("Cookie", session))
                        .statusCode())
                .isEqualTo(204);
        assertThat(send(request(closed, "api/v1/stats").header("Cookie", session))
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void guessing_passwords_is_limited_for_sessions_and_tools_alike() throws Exception {
        try (WebServer guarded = WebServer.start(
                store,
                new AdminSettings(
                        InetAddress.getLoopbackAddress(),
                        0,
                        List.of(
                                new AdminUser("vera", "right", Role.VIEWER),
                                new AdminUser("otto", "right", Role.OPERATOR)),
                        "ada",
                        Admin.DEFAULT_STATEMENT_TIMEOUT,
                        HealthThresholds.DEFAULT),
                new ServerMetrics())) {
            for (int i = 0; i < SignInLimit.MOST_FAILURES; i++) {
                assertThat(send(post(guarded, "api/v1/sign-in", "{\"name\":\"vera\",\"password\":\"wrong\"}"))
                                .statusCode())
                        .isEqualTo(401);
            }
            HttpResponse<String> limited =
                    send(post(guarded, "api/v1/sign-in", "{\"name\":\"vera\",\"password\":\"right\"}"));
            assertThat(limited.statusCode()).isEqualTo(429);
            assertThat(limited.headers().firstValueAsLong("Retry-After").orElse(0))
                    .isBetween(1L, 61L);
            assertThat(send(as(request(guarded, "api/v1/stats"), "vera", "right"))
                            .statusCode())
                    .isEqualTo(429);
            assertThat(send(as(request(guarded, "api/v1/stats"), "otto", "right"))
                            .statusCode())
                    .as("somebody else behind the same proxy")
                    .isEqualTo(200);
        }
    }

    @Test
    @Tag("R51")
    void health_tells_degraded_with_200_and_liveness_depends_on_nothing() throws Exception {
        HttpResponse<String> health = send(request(open, "actuator/health"));
        assertThat(new ObjectMapper()
                        .readTree(health.body())
                        .at("/components/postroom/status")
                        .asText())
                .isEqualTo("DOWN");
        assertThat(health.statusCode()).isEqualTo(503);
        assertThat(health.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(send(request(open, "actuator/health/liveness")).body()).isEqualTo("{\"status\":\"UP\"}");
        assertThat(send(request(open, "actuator/health/readiness")).statusCode())
                .isEqualTo(200);
        assertThat(send(request(open, "actuator/env")).statusCode()).isEqualTo(404);
    }

    @Test
    @Tag("R51")
    void readiness_depends_on_the_database_and_liveness_does_not() throws Exception {
        DataSource steady = H2.freshDatabase().dataSource();
        AtomicBoolean gone = new AtomicBoolean();
        DataSource unsteady = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, args) -> {
                    if (gone.get()) {
                        throw new SQLException("gone", "08001");
                    }
                    return method.invoke(steady, args);
                });
        Store itsStore = Store.open(unsteady, TableNames.DEFAULT);
        itsStore.schema().migrate();
        try (WebServer server = WebServer.start(itsStore, AdminSettings.local(0, "ada"), new ServerMetrics())) {
            String readiness = "actuator/health/readiness";
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> send(request(server, readiness)).statusCode() == 200);
            gone.set(true);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> send(request(server, readiness)).statusCode() == 503);
            assertThat(send(request(server, "actuator/health/liveness")).body()).isEqualTo("{\"status\":\"UP\"}");
        }
    }

    @Test
    @Tag("R50")
    void prometheus_reads_how_the_outbox_and_this_process_stand() throws Exception {
        HttpResponse<String> scrape = send(request(open, "actuator/prometheus"));
        assertThat(scrape.statusCode()).isEqualTo(200);
        assertThat(scrape.body())
                .contains("\npostroom_backlog_messages 1.0")
                .contains("\npostroom_oldest_pending_seconds ")
                .contains("\npostroom_dead_messages 0.0")
                .contains("\npostroom_blocked_streams 0.0")
                .contains("\njvm_memory_used_bytes");
        assertThat(send(request(closed, "actuator/prometheus")).statusCode()).isEqualTo(401);
        assertThat(send(as(request(closed, "actuator/prometheus"), "vera", "look-only"))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    @Tag("R54")
    void examples_of_the_documentation_work() throws Exception {
        List<String> examples = CurlExamples.in(Path.of("../docs/admin.md"));
        assertThat(examples).hasSizeGreaterThan(8);
        for (String example : examples) {
            HttpResponse<String> response =
                    CLIENT.send(CurlExamples.request(example, closed.url()), BodyHandlers.ofString());
            assertThat(response.statusCode())
                    .as("%s: %s", example, response.body())
                    .isEqualTo(200);
        }
    }

    @Test
    void port_that_is_taken_is_a_clear_error() {
        int taken = URI.create(open.url()).getPort();
        assertThatThrownBy(() -> WebServer.start(store, AdminSettings.local(taken, "ada"), new ServerMetrics()))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("port " + taken)
                .hasMessageContaining("postroom.admin.port");
    }
}
