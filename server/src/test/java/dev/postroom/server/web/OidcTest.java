package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.admin.Admin;
import dev.postroom.admin.RedactionRules;
import dev.postroom.admin.Role;
import dev.postroom.operations.HealthThresholds;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Signing in at a real authorization server, step by step as a browser goes. */
@Tag("R55")
class OidcTest {
    private static final String PAUSE = "{\"topic\":\"a\",\"reason\":\"test\"}";

    private static Store store;
    private static Issuer issuer;
    private static Visit visit;

    @BeforeAll
    static void start() {
        store = Store.open(H2.freshDatabase().dataSource(), TableNames.DEFAULT);
        store.schema().migrate();
        issuer = new Issuer(0);
        visit = new Visit(WebServer.start(store, settings(issuer.settings()), new ServerMetrics()));
        issuer.register(visit.server());
    }

    @AfterAll
    static void stop() {
        visit.server().close();
        issuer.close();
    }

    @BeforeEach
    void honestIssuer() {
        issuer.user = "vera";
        issuer.groups = List.of("staff");
        issuer.twist = claims -> {};
    }

    static AdminSettings settings(OidcSettings oidc) {
        return new AdminSettings(
                InetAddress.getLoopbackAddress(),
                0,
                List.of(new AdminUser("otto", "right", Role.OPERATOR)),
                "ada",
                Admin.DEFAULT_STATEMENT_TIMEOUT,
                HealthThresholds.DEFAULT,
                RedactionRules.DEFAULT,
                new Entrance(TrustedProxies.NONE, null, oidc, null, Duration.ofHours(12)));
    }

    private static String location(HttpResponse<?> response) {
        assertThat(response.statusCode()).as("%s", response.body()).isEqualTo(302);
        return response.headers().firstValue("Location").orElse("");
    }

    /** Somebody on the way: what the browser keeps, and where the issuer sends it. */
    private record Pending(String cookie, String callback) {
        HttpResponse<String> arrive() throws Exception {
            return visit.get(callback, "Cookie", cookie);
        }
    }

    private static Pending begin() throws Exception {
        HttpResponse<String> sent = visit.get("sign-in/oidc");
        String cookie = Visit.cookie(sent, OidcCookie.NAME);
        assertThat(cookie).contains("SameSite=Lax", "HttpOnly", "Path=/sign-in/oidc", "Max-Age=600");
        assertThat(location(sent))
                .startsWith(issuer.url() + "/oauth2/authorize")
                .contains("state=", "nonce=", "code_challenge=", "code_challenge_method=S256");
        return new Pending(Visit.pair(cookie), location(visit.get(location(sent))));
    }

    private static String session() throws Exception {
        HttpResponse<String> arrived = begin().arrive();
        assertThat(location(arrived)).isEqualTo("../../");
        String cookie = Visit.cookie(arrived, "POSTROOM_SESSION");
        assertThat(cookie).contains("SameSite=Strict", "HttpOnly");
        return Visit.pair(cookie);
    }

    @Test
    void user_of_the_issuer_has_the_role_of_his_groups_is_audited_and_signs_out() throws Exception {
        issuer.user = "olga";
        issuer.groups = List.of("others", "ops");
        String session = session();
        assertThat(visit.get("api/v1/me", "Cookie", session).body())
                .isEqualTo("{\"name\":\"olga\",\"role\":\"operator\",\"signedIn\":true,\"signInNeeded\":false,"
                        + "\"canSignOut\":true,\"mayReveal\":false,\"tenants\":null}");
        assertThat(visit.post("api/v1/pause", PAUSE, "Cookie", session).statusCode())
                .isEqualTo(200);
        assertThat(visit.get("api/v1/audit", "Cookie", session).body())
                .contains("\"actor\":\"olga\",\"action\":\"pause\"");
        assertThat(visit.post("api/v1/sign-out", "{}", "Cookie", session).statusCode())
                .isEqualTo(204);
        assertThat(visit.get("api/v1/stats", "Cookie", session).statusCode()).isEqualTo(401);
    }

    @Test
    void viewer_of_the_issuer_may_look_and_users_of_the_settings_stay() throws Exception {
        String session = session();
        assertThat(visit.get("api/v1/stats", "Cookie", session).statusCode()).isEqualTo(200);
        assertThat(visit.post("api/v1/pause", PAUSE, "Cookie", session).statusCode())
                .isEqualTo(403);
        assertThat(visit.get("api/v1/stats", "Authorization", Visit.basic("otto", "right"))
                        .statusCode())
                .isEqualTo(200);
        assertThat(visit.get("api/v1/sign-in").body())
                .isEqualTo("{\"password\":true,\"oidc\":{\"name\":\"localhost\",\"path\":\"sign-in/oidc\"}}");
    }

    @Test
    @Tag("R72")
    void user_of_the_issuer_is_bound_to_the_tenants_of_his_claim_and_reveals_by_his_group() throws Exception {
        issuer.user = "tina";
        issuer.groups = List.of("acme-ops", "auditors");
        issuer.twist = claims -> claims.claim("tenants", List.of("acme", "initech"));
        String session = session();
        assertThat(visit.get("api/v1/me", "Cookie", session).body())
                .contains("\"role\":\"operator\"", "\"mayReveal\":true", "\"tenants\":[\"acme\",\"initech\"]");
        assertThat(visit.get("api/v1/stats", "Cookie", session).statusCode()).isEqualTo(200);
        assertThat(visit.get("api/v1/nodes", "Cookie", session).statusCode()).isEqualTo(403);
        assertThat(visit.post("api/v1/pause", PAUSE, "Cookie", session).statusCode())
                .isEqualTo(403);
    }

    @Test
    @Tag("R72")
    void user_of_whom_the_issuer_tells_no_tenant_may_do_nothing() throws Exception {
        issuer.groups = List.of("acme-ops");
        assertThat(visit.get("api/v1/stats", "Cookie", session()).statusCode()).isEqualTo(403);
        issuer.twist = claims -> claims.claim("tenants", List.of(" "));
        assertThat(visit.get("api/v1/stats", "Cookie", session()).statusCode()).isEqualTo(403);
    }

    @Test
    void user_without_a_group_of_ours_is_refused_in_words() throws Exception {
        issuer.user = "nora";
        issuer.groups = List.of("others");
        HttpResponse<String> refused = visit.get("api/v1/stats", "Cookie", session());
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("nora", "viewer-groups");
    }

    @Test
    void state_of_another_browser_or_none_is_refused() throws Exception {
        Pending one = begin();
        Pending other = begin();
        assertRefused(new Pending(other.cookie(), one.callback()).arrive(), "expired");
        assertRefused(visit.get(one.callback()), "expired");
        assertRefused(new Pending(OidcCookie.NAME + "=made-up", one.callback()).arrive(), "expired");
        assertRefused(visit.get("sign-in/oidc/callback", "Cookie", one.cookie()), "expired");
    }

    private static void assertRefused(HttpResponse<String> response, String reason) {
        assertThat(location(response)).isEqualTo("../../?sign-in=" + reason);
        assertThat(Visit.cookie(response, "POSTROOM_SESSION")).isEmpty();
    }

    @Test
    void code_is_taken_once() throws Exception {
        Pending pending = begin();
        assertThat(location(pending.arrive())).isEqualTo("../../");
        assertRefused(pending.arrive(), "refused");
    }

    @Test
    void token_for_another_nonce_issuer_or_client_is_refused() throws Exception {
        issuer.twist = claims -> claims.claim("nonce", "another");
        assertRefused(begin().arrive(), "refused");
        issuer.twist = claims -> claims.issuer("http://localhost:1");
        assertRefused(begin().arrive(), "refused");
        issuer.twist = claims -> claims.audience(List.of("another"));
        assertRefused(begin().arrive(), "refused");
    }

    @Test
    void user_who_was_not_let_through_there_is_told() throws Exception {
        Pending pending = begin();
        String state = URI.create(pending.callback()).getQuery().replaceAll(".*(state=[^&]*).*", "$1");
        HttpResponse<String> denied = visit.get(
                "sign-in/oidc/callback?error=access_denied&"
                        + state.replace("=", "%3D").replaceFirst("%3D", "="),
                "Cookie",
                pending.cookie());
        assertRefused(denied, "denied");
    }

    @Test
    void session_that_was_there_before_is_worth_nothing_after() throws Exception {
        String planted = session();
        Pending pending = begin();
        HttpResponse<String> arrived = visit.get(pending.callback(), "Cookie", pending.cookie() + "; " + planted);
        assertThat(Visit.pair(Visit.cookie(arrived, "POSTROOM_SESSION"))).isNotEqualTo(planted);
        assertThat(visit.get("api/v1/stats", "Cookie", planted).statusCode()).isEqualTo(401);
    }

    @Test
    void issuer_that_is_down_at_the_start_stops_nothing_and_is_asked_again() throws Exception {
        int port = freePort();
        OidcSettings settings = Issuer.settings("http://localhost:" + port);
        try (WebServer server = WebServer.start(store, settings(settings), new ServerMetrics())) {
            Visit early = new Visit(server);
            assertThat(location(early.get("sign-in/oidc"))).isEqualTo("../?sign-in=issuer");
            assertThat(early.get("api/v1/stats", "Authorization", Visit.basic("otto", "right"))
                            .statusCode())
                    .isEqualTo(200);
            try (Issuer late = new Issuer(port)) {
                assertThat(location(early.get("sign-in/oidc"))).startsWith(late.url());
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
