package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.admin.Admin;
import dev.postroom.admin.RedactionRules;
import dev.postroom.admin.Role;
import dev.postroom.operations.HealthThresholds;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import java.net.InetAddress;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The real server, twice: the test is a trusted proxy to one, and a stranger to the other. */
@Tag("R55")
class ProxyTest {
    private static final String SIGN_IN = "{\"name\":\"vera\",\"password\":\"right\"}";
    private static final String WRONG = "{\"name\":\"viktor\",\"password\":\"wrong\"}";
    private static final String PAUSE = "{\"topic\":\"a\",\"reason\":\"test\"}";

    private static Visit trusting;
    private static Visit wary;

    @BeforeAll
    static void start() {
        Store store = Store.open(H2.freshDatabase().dataSource(), TableNames.DEFAULT);
        store.schema().migrate();
        trusting = new Visit(WebServer.start(store, settings("127.0.0.1", Duration.ofHours(12)), new ServerMetrics()));
        wary = new Visit(WebServer.start(store, settings("10.0.0.0/8", Duration.ofNanos(1)), new ServerMetrics()));
    }

    @AfterAll
    static void stop() {
        trusting.server().close();
        wary.server().close();
    }

    private static AdminSettings settings(String proxies, Duration sessionAge) {
        return new AdminSettings(
                InetAddress.getLoopbackAddress(),
                0,
                List.of(new AdminUser("vera", "right", Role.OPERATOR), new AdminUser("olga", "right", Role.OPERATOR)),
                "ada",
                Admin.DEFAULT_STATEMENT_TIMEOUT,
                HealthThresholds.DEFAULT,
                RedactionRules.DEFAULT,
                new Entrance(
                        TrustedProxies.of("key", List.of(proxies)),
                        new ProxyUsers(
                                "X-Forwarded-User",
                                "X-Forwarded-Groups",
                                "X-Forwarded-Tenants",
                                new GroupRights(
                                        List.of("staff"), List.of("ops"), List.of("auditors"), List.of("platform"))),
                        null,
                        null,
                        sessionAge));
    }

    private static int wrongPassword(Visit visit, String forwardedFor) throws Exception {
        return visit.post("api/v1/sign-in", WRONG, "X-Forwarded-For", forwardedFor)
                .statusCode();
    }

    @Test
    void wrong_passwords_are_counted_for_the_client_behind_the_proxy() throws Exception {
        for (int i = 0; i < SignInLimit.MOST_FAILURES; i++) {
            assertThat(wrongPassword(trusting, "203.0.113.1")).isEqualTo(401);
        }
        assertThat(wrongPassword(trusting, "203.0.113.1")).isEqualTo(429);
        assertThat(wrongPassword(trusting, "198.51.100.5, 203.0.113.1"))
                .as("what the client itself sent does not make him another")
                .isEqualTo(429);
        assertThat(wrongPassword(trusting, "203.0.113.2")).isEqualTo(401);
    }

    @Test
    void stranger_does_not_become_another_by_saying_so() throws Exception {
        for (int i = 0; i < SignInLimit.MOST_FAILURES; i++) {
            assertThat(wrongPassword(wary, "203.0.113." + i)).isEqualTo(401);
        }
        assertThat(wrongPassword(wary, "203.0.113.200")).isEqualTo(429);
    }

    @Test
    void cookie_is_secure_where_a_trusted_proxy_was_asked_by_https() throws Exception {
        String[] https = {"X-Forwarded-Proto", "https", "X-Forwarded-For", "203.0.113.7"};
        assertThat(cookie(trusting.post("api/v1/sign-in", SIGN_IN, https))).contains("; Secure", "SameSite=Strict");
        assertThat(cookie(trusting.post("api/v1/sign-in", SIGN_IN, "X-Forwarded-Proto", "https")))
                .contains("; Secure");
        assertThat(cookie(trusting.post("api/v1/sign-in", SIGN_IN, "X-Forwarded-Proto", "https, http")))
                .as("the nearest proxy's word counts")
                .doesNotContain("Secure");
    }

    @Test
    void cookie_is_for_the_path_under_which_a_trusted_proxy_serves_the_page() throws Exception {
        assertThat(cookie(trusting.post("api/v1/sign-in", SIGN_IN))).contains("; Path=/;", "SameSite=Strict");
        assertThat(cookie(trusting.post("api/v1/sign-in", SIGN_IN, "X-Forwarded-Prefix", "/tools/postroom")))
                .contains("; Path=/tools/postroom/;");
        assertThat(cookie(trusting.post("api/v1/sign-in", SIGN_IN, "X-Forwarded-Prefix", "/x; Domain=example.com")))
                .contains("; Path=/;")
                .doesNotContain("Domain");
        assertThat(cookie(wary.post("api/v1/sign-in", SIGN_IN, "X-Forwarded-Prefix", "/tools")))
                .as("nobody else is believed")
                .contains("; Path=/;");
    }

    private static String cookie(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(204);
        return response.headers().firstValue("Set-Cookie").orElse("");
    }

    @Test
    void changes_are_taken_from_the_page_that_the_proxy_serves_and_from_no_other() throws Exception {
        assertThat(change(trusting, "https://postroom.example", "postroom.example"))
                .isEqualTo(200);
        assertThat(change(trusting, "https://postroom.example:8443", "postroom.example:8443"))
                .isEqualTo(200);
        assertThat(change(trusting, "https://evil.example", "postroom.example")).isEqualTo(403);
        assertThat(change(trusting, "https://evil.example", "evil.example, postroom.example"))
                .isEqualTo(403);
        assertThat(change(wary, "https://evil.example", "evil.example")).isEqualTo(403);
    }

    private static int change(Visit visit, String origin, String forwardedHost) throws Exception {
        return visit.post(
                        "api/v1/pause",
                        PAUSE,
                        "Authorization",
                        Visit.basic("vera", "right"),
                        "Origin",
                        origin,
                        "X-Forwarded-Proto",
                        "https",
                        "X-Forwarded-Host",
                        forwardedHost)
                .statusCode();
    }

    @Test
    void user_whom_the_proxy_names_has_the_role_of_his_groups_and_is_audited() throws Exception {
        String[] otto = {"X-Forwarded-User", "otto", "X-Forwarded-Groups", "staff, ops, platform"};
        assertThat(trusting.get("api/v1/me", otto).body())
                .isEqualTo("{\"name\":\"otto\",\"role\":\"operator\",\"signedIn\":true,\"signInNeeded\":false,"
                        + "\"canSignOut\":false,\"mayReveal\":false,\"tenants\":null}");
        assertThat(trusting.post("api/v1/pause", PAUSE, otto).statusCode()).isEqualTo(200);
        assertThat(trusting.get("api/v1/audit", otto).body()).contains("\"actor\":\"otto\",\"action\":\"pause\"");
        String[] zoe = {"X-Forwarded-User", "zo\u00c3\u00ab", "X-Forwarded-Groups", "staff,platform"};
        assertThat(trusting.get("api/v1/me", zoe).body()).contains("\"role\":\"viewer\"");
        assertThat(trusting.post("api/v1/pause", PAUSE, zoe).statusCode()).isEqualTo(403);
    }

    @Test
    @Tag("R72")
    void user_whom_the_proxy_names_is_bound_to_the_tenants_that_it_tells() throws Exception {
        String[] told = {"X-Forwarded-User", "tina", "X-Forwarded-Groups", "ops,auditors", "X-Forwarded-Tenants", "acme"
        };
        assertThat(trusting.get("api/v1/me", told).body()).contains("\"mayReveal\":true", "\"tenants\":[\"acme\"]");
        assertThat(trusting.get("api/v1/audit", told).statusCode()).isEqualTo(403);
        String[] untold = {"X-Forwarded-User", "tina", "X-Forwarded-Groups", "ops"};
        assertThat(trusting.get("api/v1/stats", untold).statusCode()).isEqualTo(403);
        String[] twice = {
            "X-Forwarded-User",
            "tina",
            "X-Forwarded-Groups",
            "ops",
            "X-Forwarded-Tenants",
            "acme",
            "X-Forwarded-Tenants",
            "globex"
        };
        assertThat(trusting.get("api/v1/stats", twice).statusCode()).isEqualTo(403);
    }

    @Test
    void session_ends_some_time_after_its_sign_in_however_busy_it_is() throws Exception {
        String signIn = "{\"name\":\"olga\",\"password\":\"right\"}";
        String kept = Visit.pair(cookie(trusting.post("api/v1/sign-in", signIn)));
        assertThat(trusting.get("api/v1/stats", "Cookie", kept).statusCode()).isEqualTo(200);
        String over = Visit.pair(cookie(wary.post("api/v1/sign-in", signIn)));
        assertThat(wary.get("api/v1/stats", "Cookie", over).statusCode()).isEqualTo(401);
    }

    @Test
    void user_without_a_group_is_known_and_may_nothing() throws Exception {
        HttpResponse<String> refused = trusting.get("api/v1/stats", "X-Forwarded-User", "nora");
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("nora", "viewer-groups");
        assertThat(trusting.get("actuator/prometheus", "X-Forwarded-User", "nora")
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void nobody_but_the_proxy_names_users() throws Exception {
        String[] forged = {
            "X-Forwarded-User", "otto", "X-Forwarded-Groups", "ops", "X-Forwarded-For", "10.0.0.1, 10.0.0.2"
        };
        assertThat(wary.get("api/v1/stats", forged).statusCode()).isEqualTo(401);
        assertThat(wary.get("api/v1/me", forged).body()).contains("\"name\":null");
    }

    /** Somebody who could do something but for the header that is there twice. */
    @Test
    void header_that_the_proxy_added_to_the_clients_is_refused() throws Exception {
        List<String> otto = List.of(
                "X-Forwarded-User", "otto", "X-Forwarded-Groups", "ops,platform", "X-Forwarded-Tenants", "acme");
        assertThat(trusting.get("api/v1/stats", otto.toArray(String[]::new)).statusCode())
                .isEqualTo(200);
        for (int i = 0; i < otto.size(); i += 2) {
            for (String second : List.of("another", "")) {
                List<String> twice = new ArrayList<>(otto);
                twice.add(otto.get(i));
                twice.add(second);
                HttpResponse<String> refused = trusting.get("api/v1/stats", twice.toArray(String[]::new));
                assertThat(refused.statusCode())
                        .as("%s: '%s'", otto.get(i), second)
                        .isEqualTo(403);
                assertThat(refused.body()).contains("twice");
            }
        }
    }
}
