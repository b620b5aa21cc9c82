package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.PostroomException;
import dev.postroom.admin.Role;
import dev.postroom.server.Cli;
import dev.postroom.server.settings.Settings;
import dev.postroom.server.settings.SettingsSources;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("R55")
@Timeout(value = 2, unit = TimeUnit.MINUTES) // settings that should be refused would serve for ever
class AdminSettingsTest {
    @TempDir
    Path folder;

    private Cli.Result serve(String... settings) {
        TestDatabase database = H2.freshDatabase();
        Cli cli = Cli.on(database, folder).property("postroom.destinations.out.type", "log");
        assertThat(cli.run("migrate").exit()).isZero();
        for (int i = 0; i < settings.length; i += 2) {
            cli.property(settings[i], settings[i + 1]);
        }
        return cli.run("serve");
    }

    @Test
    void address_that_others_reach_is_refused_without_users() {
        for (String address : new String[] {"0.0.0.0", "::", "192.0.2.7"}) {
            Cli.Result result = serve("postroom.admin.address", address);
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.firstErrorLine()).contains("postroom.admin.address", "postroom.admin.users[0].name");
        }
    }

    @Test
    void user_without_a_password_and_one_that_is_there_twice_are_refused_without_showing_one() {
        assertThat(serve("postroom.admin.users[0].name", "ada", "postroom.admin.users[0].role", "viewer")
                        .err())
                .contains("postroom.admin.users[0].password is missing");
        assertThat(serve(
                                "postroom.admin.users[0].name",
                                "ada",
                                "postroom.admin.users[0].password",
                                "top-secret",
                                "postroom.admin.users[0].role",
                                "viewer",
                                "postroom.admin.users[1].name",
                                "ada",
                                "postroom.admin.users[1].password",
                                "top-secret",
                                "postroom.admin.users[1].role",
                                "operator")
                        .err())
                .contains("'ada' twice")
                .doesNotContain("top-secret");
    }

    /** To take them for none would bind the user to no tenant at all. */
    @Test
    void a_list_that_names_nothing_is_refused() {
        for (String nothing : new String[] {",", " , ,", " "}) {
            assertRefused(
                    "users[0].tenants",
                    "users[0].name",
                    "tina",
                    "users[0].password",
                    "right",
                    "users[0].role",
                    "operator",
                    "users[0].tenants",
                    nothing);
        }
    }

    private static AdminSettings settings(String... settings) {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            values.put("postroom.admin." + settings[i], settings[i + 1]);
        }
        return AdminSettings.from(Settings.load(new SettingsSources(null, Map.of(), values)), "ada");
    }

    private static void assertRefused(String named, String... settings) {
        assertThatThrownBy(() -> settings(settings))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("postroom.admin." + named)
                .hasMessageNotContaining("top-secret");
    }

    @Test
    void proxy_that_would_open_everything_is_refused() {
        assertRefused("trusted-proxies", "trusted-proxies", "10.0.0.1");
        assertRefused("trusted-proxies", "proxy-user-header", "X-Forwarded-User", "viewer-groups", "*");
        String[] named = {"trusted-proxies", "10.0.0.1", "proxy-user-header", "X-Forwarded-User"};
        assertRefused("viewer-groups", named);
        assertRefused("proxy-groups-header", with(named, "viewer-groups", "staff"));
        assertRefused("proxy-user-header", "viewer-groups", "staff");
        assertRefused("all-tenants-groups", with(named, "viewer-groups", "*", "all-tenants-groups", "platform"));
        assertRefused("proxy-user-header", "proxy-tenants-header", "X-Forwarded-Tenants");
        AdminSettings usable = settings(with(named, "viewer-groups", "*", "address", "0.0.0.0"));
        assertThat(usable.isOpen()).isFalse();
    }

    private static String[] with(String[] some, String... others) {
        return Stream.concat(Stream.of(some), Stream.of(others)).toArray(String[]::new);
    }

    @Test
    void issuer_needs_https_a_client_and_groups() {
        String[] client = {"oidc.client-id", "postroom", "oidc.client-secret", "top-secret"};
        assertRefused("oidc.issuer", client);
        assertRefused("oidc.issuer", with(client, "oidc.issuer", "http://login.example", "oidc.viewer-groups", "a"));
        assertRefused("oidc.issuer", with(client, "oidc.issuer", "login", "oidc.viewer-groups", "a"));
        assertRefused("oidc.viewer-groups", with(client, "oidc.issuer", "https://login.example"));
        assertRefused("oidc.client-id", "oidc.issuer", "https://login.example", "oidc.viewer-groups", "a");
        AdminSettings usable =
                settings(with(client, "oidc.issuer", "https://login.example", "oidc.operator-groups", "a, b"));
        assertThat(usable.isOpen()).isFalse();
        assertThat(String.valueOf(usable.entrance())).doesNotContain("top-secret");
        assertThat(usable.entrance().oidc()).isNotNull();
    }

    @Test
    void session_that_would_end_at_once_is_refused() {
        for (String age : new String[] {"0s", "0ms", "PT0S", "-5s", "PT-5S"}) {
            assertRefused("session-max-age", "session-max-age", age);
        }
    }

    @Test
    void what_is_set_is_what_the_web_server_gets() {
        AdminSettings admin = AdminSettings.from(
                Settings.load(new SettingsSources(
                        null,
                        Map.of(),
                        Map.of(
                                "postroom.admin.address", "192.0.2.7",
                                "postroom.admin.port", "8081",
                                "postroom.admin.statement-timeout", "7s",
                                "postroom.admin.session-max-age", "30m",
                                "postroom.admin.users[0].name", "vera",
                                "postroom.admin.users[0].password", "secret",
                                "postroom.admin.users[0].role", "viewer",
                                "postroom.health.backlog.degraded", "11"))),
                "ada");
        assertThat(admin.address().getHostAddress()).isEqualTo("192.0.2.7");
        assertThat(admin.port()).isEqualTo(8081);
        assertThat(admin.users()).containsExactly(new AdminUser("vera", "secret", Role.VIEWER));
        assertThat(admin.localName()).isEqualTo("ada");
        assertThat(admin.statementTimeout()).isEqualTo(Duration.ofSeconds(7));
        assertThat(admin.entrance().sessionAge()).isEqualTo(Duration.ofMinutes(30));
        assertThat(Entrance.PLAIN.sessionAge()).isEqualTo(Duration.ofHours(12));
        assertThat(admin.health().backlog().degraded()).isEqualTo(11);
    }

    @Test
    @Tag("R72")
    void rule_of_redaction_and_permission_that_cannot_be_read_are_refused() {
        assertThat(serve("postroom.redact.json-paths", "customer.email").firstErrorLine())
                .contains("postroom.redact.json-paths", "'customer.email'");
        assertThat(serve("postroom.admin.users[0].permissions", "everything").err())
                .contains("postroom.admin.users[0].permissions must be one of reveal");
    }

    @Test
    @Tag("R51")
    void health_limits_in_the_wrong_order_are_refused() {
        assertThat(serve("postroom.health.backlog.degraded", "10", "postroom.health.backlog.down", "5")
                        .err())
                .contains("postroom.health.backlog.degraded");
    }
}
