package dev.postroom.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.admin.http.Endpoint;
import dev.postroom.operations.MessageDetail;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may what inside an application, and what hostile input comes to. */
@Tag("R55")
class AccessTest {
    private static final String API = "/postroom/api/v1";
    private static final String HOSTILE = "\"><script>alert(1)</script><img src=x onerror=alert(1)>\u202E\u0007\\";

    private static Shop shop;
    private static Admin admin;
    private static AdminServer server;

    @BeforeAll
    static void open() {
        shop = new Shop();
        admin = Admin.on(shop.store)
                .at("/postroom")
                .access(new ApplicationAccess())
                .redaction(AccessTest::withoutSource)
                .build();
        server = new AdminServer(admin);
    }

    @AfterAll
    static void close() {
        server.close();
        admin.close();
        shop.close();
    }

    private static MessageDetail withoutSource(MessageDetail message) {
        return message.headers().containsKey("secret")
                ? new MessageDetail(
                        message.item(),
                        message.lane(),
                        "text/plain",
                        null,
                        message.headers(),
                        "hidden".getBytes(java.nio.charset.StandardCharsets.UTF_8),
                        6,
                        message.source(),
                        message.error(),
                        message.crashes(),
                        message.completedDestinations(),
                        message.released(),
                        message.attempts(),
                        message.facts())
                : message;
    }

    private static HttpRequest.Builder as(HttpRequest.Builder request, String user) {
        return user.equals("nobody") ? request : request.header("X-User", user);
    }

    @ParameterizedTest
    @CsvSource({
        "nobody, 403, 403",
        "mallory, 403, 403",
        "mallory/ADMIN, 403, 403",
        "vera/POSTROOM_VIEWER, 200, 403",
        "otto/POSTROOM_OPERATOR, 200, 200"
    })
    void role_is_checked_for_every_endpoint(String user, int looking, int changing) {
        admin.endpoints().stream()
                .filter(endpoint -> endpoint.needed() != Role.NONE)
                .filter(endpoint -> endpoint.reach() != Endpoint.Reach.REVEALING)
                .forEach(endpoint -> {
                    String path = API
                            + endpoint.path()
                                    .replace("{id}", UUID.randomUUID().toString())
                                    .replace("{name}", "x");
                    boolean get = endpoint.method().name().equals("GET");
                    HttpRequest.Builder request = get ? server.request(path) : server.posting(path, "{}");
                    int status = server.send(as(request, user)).statusCode();
                    int expected = get ? looking : changing;
                    // Who may is told what is wrong with the request instead.
                    assertThat(expected == 200 ? status != 401 && status != 403 : status == expected)
                            .as("%s %s as %s: %s", endpoint.method(), path, user, status)
                            .isTrue();
                });
    }

    @Test
    void nobody_is_told_what_to_do() {
        assertThat(server.send(server.request(API + "/stats")).body()).contains("postroom.admin.viewer-role");
        assertThat(server.send(server.request(API + "/me")).body())
                .isEqualTo("{\"name\":null,\"role\":\"none\",\"signedIn\":false,\"signInNeeded\":false,"
                        + "\"canSignOut\":false,\"mayReveal\":false,\"tenants\":null}");
        assertThat(server.get(API + "/me").body()).contains("\"name\":\"vera\",\"role\":\"viewer\"");
        assertThat(server.post(API + "/sign-in", "{}").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "nonsense"})
    void change_that_a_form_could_send_is_refused(String contentType) {
        HttpResponse<String> response = server.send(server.request(API + "/pause")
                .header("X-User", "otto/POSTROOM_OPERATOR")
                .header("Content-Type", contentType)
                .POST(HttpRequest.BodyPublishers.ofString("{\"reason\":\"x\"}")));
        assertThat(response.statusCode()).isEqualTo(415);
    }

    @ParameterizedTest
    @CsvSource({
        "Origin, http://evil.example, 403",
        "Origin, null, 403",
        "Sec-Fetch-Site, cross-site, 403",
        "Sec-Fetch-Site, same-site, 403",
        "Sec-Fetch-Site, same-origin, 200",
        "X-Other, none, 200"
    })
    void change_that_another_site_asks_for_is_refused(String header, String value, int status) {
        HttpResponse<String> response =
                server.send(server.posting(API + "/resume", "{\"topic\":\"nothing\",\"reason\":\"x\"}")
                        .header("X-User", "otto/POSTROOM_OPERATOR")
                        .header(header, value));
        assertThat(response.statusCode()).isEqualTo(status);
    }

    @Test
    void another_sites_page_cannot_ask_but_its_user_may_follow_a_link() {
        HttpRequest.Builder fetched = server.request(API + "/stats")
                .header("X-User", "vera/POSTROOM_VIEWER")
                .header("Sec-Fetch-Site", "cross-site");
        assertThat(server.send(fetched.copy().header("Sec-Fetch-Mode", "cors")).statusCode())
                .isEqualTo(403);
        assertThat(server.send(fetched.copy().header("Sec-Fetch-Mode", "navigate"))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void every_answer_has_the_headers_that_keep_a_browser_in_check() {
        for (String path : new String[] {"/stats", "/nothing", "/messages?status=x"}) {
            HttpResponse<String> response = server.get(API + path);
            assertThat(response.headers().firstValue("Content-Security-Policy"))
                    .hasValueSatisfying(policy -> assertThat(policy)
                            .contains("default-src 'none'", "frame-ancestors 'none'")
                            .doesNotContain("unsafe"));
            assertThat(response.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(response.headers().firstValue("Referrer-Policy")).contains("no-referrer");
            assertThat(response.headers().firstValue("Cache-Control")).contains("no-store");
            assertThat(response.headers().firstValue("Cross-Origin-Resource-Policy"))
                    .contains("same-origin");
        }
    }

    @Test
    void who_changes_something_is_in_the_audit_with_the_reason() {
        UUID id = shop.publish(Message.to("orders.refused").text("text/plain", "x"));
        shop.drain();
        assertThat(server.post(API + "/messages/" + id + "/retry", "{\"reason\":\"receiver fixed\"}")
                        .body())
                .isEqualTo("{\"matched\":1,\"matchedIsExact\":true,\"changed\":1,\"leftAlone\":0}");
        assertThat(server.get(API + "/audit").body())
                .contains("\"actor\":\"otto\",\"action\":\"retry\",\"target\":\"" + id
                        + "\",\"reason\":\"receiver fixed\"");
    }

    @Test
    void hostile_texts_are_data_and_nothing_else() {
        UUID id = shop.publish(Message.to("hostile." + HOSTILE.replace("\u0007", ""))
                .key(HOSTILE.replace("\u0007", ""))
                .text("text/html", HOSTILE));
        HttpResponse<String> response = server.get(API + "/messages/" + id);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/json;charset=UTF-8");
        assertThat(response.body()).contains("\\\"><script>alert(1)</script>");
        assertThat(server.get(API + "/messages?q=%27%20OR%201%3D1%20--").body()).contains("\"total\":0");
        assertThat(server.get(API + "/messages?topic=%27%3B%20DROP%20TABLE%20postroom_message%3B--")
                        .body())
                .contains("\"items\":[]");
        assertThat(server.get(API + "/stats").statusCode()).isEqualTo(200);
        assertThat(server.get("/postroom/assets/..%2f..%2fopenapi.json").statusCode())
                .isIn(400, 404);
        assertThat(server.get("/postroom/webjars/../application.properties").statusCode())
                .isIn(400, 404);
    }

    @Test
    void payload_is_left_out_when_it_is_not_wanted_and_redacted_when_the_application_says_so() {
        UUID id = shop.publish(
                Message.to("orders.created").header("secret", "yes").text("text/plain", "card 4111 1111"));
        assertThat(server.get(API + "/messages/" + id + "?payload=false").body())
                .contains("\"payload\":null")
                .doesNotContain("4111");
        assertThat(server.get(API + "/messages/" + id).body())
                .contains("\"payload\":\"hidden\"")
                .doesNotContain("4111");
    }

    @Test
    void bulk_action_counts_first_then_changes_up_to_its_limit() {
        for (int i = 0; i < 5; i++) {
            shop.publish(Message.to("bulk").text("text/plain", "x"));
        }
        String filter = "{\"filter\":{\"topic\":\"bulk\"},";
        String path = API + "/messages/actions/dead-letter";
        assertThat(server.post(path, filter + "\"dryRun\":true}").body())
                .isEqualTo("{\"matched\":5,\"matchedIsExact\":true,\"changed\":0,\"leftAlone\":0}");
        assertThat(server.post(path, filter + "\"limit\":3,\"reason\":\"test\"}")
                        .body())
                .isEqualTo("{\"matched\":5,\"matchedIsExact\":true,\"changed\":3,\"leftAlone\":0}");
        assertThat(server.post(path, filter + "\"reason\":\"test\"}").body())
                .isEqualTo("{\"matched\":2,\"matchedIsExact\":true,\"changed\":2,\"leftAlone\":0}");
        assertThat(server.post(path, "{\"filter\":{},\"reason\":\"all\"}").statusCode())
                .isEqualTo(400);
        assertThat(server.post(path, filter + "\"limit\":10001,\"reason\":\"x\"}")
                        .statusCode())
                .isEqualTo(400);
    }
}
