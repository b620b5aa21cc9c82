package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.admin.Rights;
import dev.postroom.admin.Role;
import dev.postroom.outbox.Outbox;
import dev.postroom.server.settings.Settings;
import dev.postroom.server.settings.SettingsSources;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/** The real server, whose settings bind users to tenants, let them reveal, and say what is redacted. */
@Tag("R72")
class UserRightsTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static WebServer server;
    private static UUID own;
    private static UUID foreign;

    @BeforeAll
    static void start() {
        DataSource dataSource = H2.freshDatabase().dataSource();
        Store store = Store.open(dataSource, TableNames.DEFAULT);
        store.schema().migrate();
        Outbox outbox = Outbox.on(dataSource);
        own = outbox.publishInOwnTransaction(message("acme")).id();
        foreign = outbox.publishInOwnTransaction(message("globex")).id();
        server = WebServer.start(store, settings(), new ServerMetrics());
    }

    private static Message message(String tenant) {
        return Message.to("orders")
                .tenant(tenant)
                .header("x-customer", "jane")
                .text("application/json", "{\"card\":\"4111\"}");
    }

    private static AdminSettings settings() {
        Map<String, String> given = new HashMap<>(Map.of(
                "postroom.admin.port", "0",
                "postroom.redact.headers", "x-customer, x-other",
                "postroom.redact.json-paths", "$.card, $..iban"));
        user(given, 0, "vera", "viewer");
        user(given, 1, "tina", "operator");
        given.put("postroom.admin.users[1].tenants", "acme, initech");
        user(given, 2, "rita", "viewer");
        given.put("postroom.admin.users[2].permissions", "reveal");
        return AdminSettings.from(Settings.load(new SettingsSources(null, Map.of(), given)), "ada");
    }

    private static void user(Map<String, String> given, int place, String name, String role) {
        String prefix = "postroom.admin.users[" + place + "].";
        given.put(prefix + "name", name);
        given.put(prefix + "password", "secret");
        given.put(prefix + "role", role);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static HttpRequest.Builder as(String name, String path) {
        byte[] both = (name + ":secret").getBytes(StandardCharsets.UTF_8);
        return HttpRequest.newBuilder(URI.create(server.url() + path))
                .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(both));
    }

    private static HttpResponse<String> get(String name, String path) throws Exception {
        return CLIENT.send(as(name, path).build(), BodyHandlers.ofString());
    }

    @Test
    void user_of_a_tenant_sees_that_tenants_messages() throws Exception {
        assertThat(get("tina", "api/v1/me").body()).contains("\"tenants\":[\"acme\",\"initech\"]");
        assertThat(get("tina", "api/v1/messages").body())
                .contains(own.toString())
                .doesNotContain(foreign.toString());
        assertThat(get("tina", "api/v1/messages/" + foreign).statusCode()).isEqualTo(404);
        assertThat(get("vera", "api/v1/messages/" + foreign).statusCode()).isEqualTo(200);
    }

    @Test
    void metrics_and_the_details_of_health_are_for_those_who_see_all_tenants() throws Exception {
        assertThat(get("vera", "actuator/prometheus").body()).contains("postroom_backlog_messages");
        assertThat(get("tina", "actuator/prometheus").statusCode()).isEqualTo(403);
        assertThat(get("vera", "actuator/health").body()).contains("\"components\"");
        assertThat(get("tina", "actuator/health").body())
                .contains("\"status\"")
                .doesNotContain("\"components\"", "\"details\"");
    }

    @Test
    void session_is_bound_like_its_user() throws Exception {
        HttpRequest.Builder signIn = HttpRequest.newBuilder(URI.create(server.url() + "api/v1/sign-in"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"name\":\"tina\",\"password\":\"secret\"}"));
        String cookie = CLIENT.send(signIn.build(), BodyHandlers.ofString())
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow()
                .split(";", 2)[0];
        HttpRequest.Builder nodes = HttpRequest.newBuilder(URI.create(server.url() + "api/v1/nodes"))
                .header("Cookie", cookie);
        assertThat(CLIENT.send(nodes.build(), BodyHandlers.ofString()).statusCode())
                .isEqualTo(403);
    }

    @Test
    void settings_say_what_is_redacted_and_who_may_reveal() throws Exception {
        assertThat(get("vera", "api/v1/messages/" + own).body()).doesNotContain("jane", "4111");
        HttpRequest reveal = as("rita", "api/v1/messages/" + own + "/reveal")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{}"))
                .build();
        assertThat(CLIENT.send(reveal, BodyHandlers.ofString()).body()).contains("jane", "4111");
        assertThat(get("vera", "api/v1/audit").body()).contains("\"actor\":\"rita\",\"action\":\"reveal\"");
    }

    @Test
    void whoever_is_signed_in_without_saying_for_which_tenants_may_do_nothing() {
        assertThat(Roles.bound(Rights.of(Role.OPERATOR), List.of(new SimpleGrantedAuthority("ROLE_POSTROOM_OPERATOR"))))
                .isEqualTo(Rights.NONE);
    }
}
