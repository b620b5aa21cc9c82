package dev.postroom.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.admin.Role;
import dev.postroom.server.Cli;
import dev.postroom.server.settings.Settings;
import dev.postroom.server.settings.SettingsSources;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
