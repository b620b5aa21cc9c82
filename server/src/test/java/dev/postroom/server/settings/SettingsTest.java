package dev.postroom.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.operations.HealthThresholds;
import dev.postroom.operations.HealthThresholds.Limit;
import dev.postroom.outbox.Limits;
import dev.postroom.spi.TableNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("R54")
class SettingsTest {
    @TempDir
    Path folder;

    private Path file(String yaml) throws IOException {
        return Files.writeString(folder.resolve("postroom.yml"), yaml);
    }

    private Settings load(String yaml) throws IOException {
        return Settings.load(new SettingsSources(file(yaml), Map.of(), Map.of()));
    }

    private static Settings fromProperties(Map<String, String> properties) {
        return Settings.load(new SettingsSources(null, Map.of(), properties));
    }

    private static Settings fromEnvironment(Map<String, String> environment) {
        return Settings.load(new SettingsSources(null, environment, Map.of()));
    }

    private AbstractThrowableAssert<?, ?> assertRefused(String yaml) {
        return assertThatThrownBy(() -> load(yaml)).isInstanceOf(SettingsException.class);
    }

    @Test
    void without_any_setting_there_is_a_database_file_beside_you() {
        Settings settings = fromProperties(Map.of());
        assertThat(settings.database().url()).isEqualTo("jdbc:h2:file:./data/postroom;AUTO_SERVER=TRUE");
        assertThat(settings.database().username()).isEqualTo("sa");
        assertThat(settings.limits()).isEqualTo(Limits.DEFAULT);
        assertThat(settings.health()).isEqualTo(HealthThresholds.DEFAULT);
        assertThat(settings.retention()).contains(Duration.ofDays(7));
        assertThat(settings.destinations()).isEmpty();
    }

    @Test
    void system_property_beats_environment_beats_file() throws IOException {
        Path file = file("postroom: {database: {url: 'jdbc:file', username: file, schema: file}}");
        Settings settings = Settings.load(new SettingsSources(
                file,
                Map.of("POSTROOM_DATABASE_URL", "jdbc:environment", "POSTROOM_DATABASE_USERNAME", "environment"),
                Map.of("postroom.database.url", "jdbc:property", "other.key", "ignored")));
        assertThat(settings.database().url()).isEqualTo("jdbc:property");
        assertThat(settings.database().username()).isEqualTo("environment");
        assertThat(settings.database().names().schema()).isEqualTo("file");
    }

    @Nested
    class A_file {
        @Test
        void every_setting_of_the_contract_is_known() throws IOException {
            Settings settings = load("""
                    postroom:
                      database: {url: 'jdbc:postgresql://h/d', username: u, password: p, schema: s, table-prefix: shop_}
                      relay: {enabled: true, lease: 10s, batch-size: 500, poll-min: 10ms, poll-max: 1s, routing-delay: 30s, max-in-flight: 1000,
                              max-in-flight-bytes: 16MiB, stop-timeout: 30s, max-crashes: 3}
                      retry: {base: 2s, multiplier: 2, cap: 5m, jitter: 0.2, max-attempts: 10, preset: quick, error-length: 2000}
                      limits: {payload-bytes: 512KiB, headers: 10, header-bytes: 4096, topic-length: 100, key-length: 101}
                      compression.threshold: 64KiB
                      health:
                        backlog: {degraded: 1000, down: 100001}
                        oldest-age: {degraded: 1m, down: 2h}
                        failed-ratio: {degraded: 0.11, down: 0.51}
                        stuck-after: {degraded: 6m, down: 16m}
                      retention: none
                      dedup-window: 14d
                      destinations:
                        rabbit: {type: rabbitmq, uri: 'amqp://u:p@h', exchange: x, routing-key: r, rate: 100}
                        stream: {type: kafka, bootstrap-servers: [a:1, b:2], topic: t, properties: {security.protocol: SSL}}
                        hook: {type: http, url: 'https://h', secret: s, timeout: 5s, allow-private-addresses: false,
                               breaker: {probe-interval: 1s}}
                        log: {type: log}
                      routes:
                        - {topic: 'orders.*', destinations: [rabbit, hook], on-failure: skip, retry: {preset: patient}}
                        - {topic: '**', destinations: log}
                      admin:
                        address: 0.0.0.0
                        port: 8080
                        users:
                          - {name: ada, password: '0123', role: operator}
                    spring: {main: {banner-mode: 'off'}}
                    """);
            assertThat(settings.database().names()).isEqualTo(new TableNames("s", "shop_"));
            assertThat(settings.database().password()).isEqualTo("p");
            assertThat(settings.section("relay").duration("lease")).contains(Duration.ofSeconds(10));
            assertThat(settings.section("relay").integer("max-in-flight-bytes")).contains(16 << 20);
            assertThat(settings.section("relay").flag("enabled")).contains(true);
            assertThat(settings.section("retry").number("jitter")).contains(0.2);
            assertThat(settings.limits()).isEqualTo(new Limits(512 << 10, 10, 4_096, 100, 101));
            assertThat(settings.health())
                    .isEqualTo(new HealthThresholds(
                            new Limit<>(1_000L, 100_001L),
                            new Limit<>(Duration.ofMinutes(1), Duration.ofHours(2)),
                            new Limit<>(0.11, 0.51),
                            new Limit<>(Duration.ofMinutes(6), Duration.ofMinutes(16))));
            assertThat(settings.compressionThreshold()).contains(64 << 10);
            assertThat(settings.retention()).isEmpty();
            assertThat(settings.dedupWindow()).contains(Duration.ofDays(14));
            assertThat(settings.destinations()).containsOnlyKeys("rabbit", "stream", "hook", "log");
            assertThat(settings.destinations().get("stream").words("bootstrap-servers"))
                    .containsExactly("a:1", "b:2");
            assertThat(settings.destinations().get("stream").everythingBelow("properties"))
                    .isEqualTo(Map.of("security.protocol", "SSL"));
            assertThat(settings.routes().get(0).words("destinations")).containsExactly("rabbit", "hook");
            assertThat(settings.routes().get(1).text("topic")).contains("**");
            assertThat(settings.users().get(0).text("password")).contains("0123");
        }

        @Test
        void a_number_with_a_leading_zero_stays_the_text_it_is() throws IOException {
            assertThat(load("postroom: {database: {password: 0123, username: no}}")
                            .database())
                    .satisfies(database -> assertThat(database.password()).isEqualTo("0123"))
                    .satisfies(database -> assertThat(database.username()).isEqualTo("no"));
        }

        @Test
        void that_is_no_yaml_is_refused_with_its_line() {
            assertRefused("postroom:\n  database: {url: [\n")
                    .hasMessageContaining("postroom.yml is not YAML in line 3");
            assertRefused("postroom:\n  retention: 1d\n  retention: 2d\n").hasMessageContaining("retention");
        }

        @Test
        void that_is_not_there_is_refused_by_its_name() {
            assertThatThrownBy(
                            () -> Settings.load(new SettingsSources(folder.resolve("nowhere.yml"), Map.of(), Map.of())))
                    .hasMessageContaining("nowhere.yml")
                    .hasMessageContaining("--config");
        }

        @Test
        void with_a_forgotten_top_level_is_refused() {
            assertRefused("database: {url: x}").hasMessageContaining("settings stand under 'postroom:'");
        }

        @Test
        void cannot_make_the_reader_build_an_object() {
            assertRefused("postroom: {database: {url: !!javax.script.ScriptEngineManager [x]}}")
                    .hasMessageContaining("not YAML");
        }
    }

    @Nested
    class An_unknown_setting {
        @Test
        void is_refused_with_the_nearest_known_one() {
            assertRefused("postroom: {retry: {max-attemps: 3}}")
                    .hasMessageContaining(
                            "postroom.retry.max-attemps is not a setting: did you mean postroom.retry.max-attempts?");
        }

        @Test
        void below_a_name_or_a_number_keeps_that_in_the_suggestion() {
            assertRefused("postroom: {destinations: {main: {typ: log}}}")
                    .hasMessageContaining("did you mean postroom.destinations.main.type?");
            assertRefused("postroom: {routes: [{topics: x}]}")
                    .hasMessageContaining("did you mean postroom.routes[0].topic?");
        }

        @Test
        void in_the_environment_is_refused_too() {
            assertThatThrownBy(() -> fromEnvironment(Map.of("POSTROOM_DATABASE_ULR", "x")))
                    .hasMessageContaining("did you mean postroom.database.url?")
                    .hasMessageContaining("environment variable POSTROOM_DATABASE_ULR");
        }

        @Test
        void all_problems_are_told_at_once() {
            assertThatThrownBy(() -> fromProperties(Map.of("postroom.retention", "soon", "postroom.zebra", "1")))
                    .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(2));
        }
    }

    @Nested
    class The_environment {
        @Test
        void reaches_names_lists_and_properties() {
            Settings settings = fromEnvironment(Map.of(
                    "POSTROOM_DESTINATIONS_MAIN_TYPE", "kafka",
                    "POSTROOM_DESTINATIONS_MAIN_BOOTSTRAP_SERVERS", "a:1",
                    "POSTROOM_DESTINATIONS_MAIN_PROPERTIES_SECURITY_PROTOCOL", "SSL",
                    "POSTROOM_DESTINATIONS_MAIN_BREAKER_PROBE_INTERVAL", "2s",
                    "POSTROOM_ROUTES_0_TOPIC", "**",
                    "POSTROOM_ROUTES_0_DESTINATIONS", "main"));
            assertThat(settings.destinations().get("main").everythingBelow("properties"))
                    .containsEntry("security.protocol", "SSL");
            assertThat(settings.destinations().get("main").duration("breaker.probe-interval"))
                    .contains(Duration.ofSeconds(2));
            assertThat(settings.routes().get(0).words("destinations")).isEqualTo(List.of("main"));
        }

        @Test
        void finds_the_destination_that_the_file_names() throws IOException {
            Path file = file("postroom: {destinations: {my_rabbit: {type: rabbitmq}}}");
            Settings settings = Settings.load(
                    new SettingsSources(file, Map.of("POSTROOM_DESTINATIONS_MY_RABBIT_URI", "amqp://h"), Map.of()));
            assertThat(settings.destinations()).containsOnlyKeys("my_rabbit");
        }

        @Test
        void of_tests_and_of_kubernetes_is_nobodys_setting() {
            assertThat(fromEnvironment(Map.of(
                                    "POSTROOM_TEST_POSTGRESQL", "jdbc:x",
                                    "POSTROOM_SERVICE_HOST", "10.0.0.1",
                                    "POSTROOM_SERVICE_PORT_HTTP", "80",
                                    "POSTROOM_PORT", "tcp://10.0.0.1:80",
                                    "POSTROOM_PORT_80_TCP_ADDR", "10.0.0.1"))
                            .toString())
                    .isEqualTo("Settings[]");
        }
    }

    @Nested
    class A_value {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "postroom.relay.lease|10|a duration such as 500ms",
                    "postroom.relay.enabled|yes|true or false",
                    "postroom.relay.batch-size|0|a whole number from 1",
                    "postroom.relay.batch-size|many|a whole number from 1",
                    "postroom.relay.max-in-flight-bytes|16MB|a number of bytes",
                    "postroom.retry.jitter|20%|a number from 0 to 1",
                    "postroom.retry.multiplier|0.5|a number from 1 to 100",
                    "postroom.retry.preset|slow|one of quick, patient, fixed, jittered",
                    "postroom.admin.port|70000|a port",
                    "postroom.retention|never|or none",
                    "postroom.limits.topic-length|300|between 1 and 255",
                    "postroom.database.table-prefix|Shop;|lower-case letters"
                })
        void that_does_not_fit_is_refused_with_key_value_and_what_fits(String key, String value, String expected) {
            assertThatThrownBy(() -> fromProperties(Map.of(key, value)))
                    .isInstanceOf(SettingsException.class)
                    .hasMessageContaining(key)
                    .hasMessageContaining(value)
                    .hasMessageContaining(expected);
        }

        @Test
        @Tag("R52")
        void that_is_a_password_is_never_shown() {
            Settings settings = fromProperties(Map.of(
                    "postroom.database.url", "jdbc:postgresql://h/d?password=geheim",
                    "postroom.database.password", "geheim"));
            assertThat(settings.toString()).doesNotContain("geheim");
            assertThat(settings.database().toString()).doesNotContain("geheim").contains("//h/d");
        }
    }

    @Nested
    class What_belongs_together {
        @Test
        void a_destination_needs_what_its_type_needs() {
            assertRefused("postroom: {destinations: {a: {rate: 5}}}")
                    .hasMessageContaining("postroom.destinations.a.type is missing");
            assertRefused("postroom: {destinations: {a: {type: http}}}")
                    .hasMessageContaining("postroom.destinations.a.url is missing");
        }

        @Test
        void a_setting_of_another_type_is_refused() {
            assertRefused("postroom: {destinations: {a: {type: log, exchange: x}}}")
                    .hasMessageContaining("postroom.destinations.a.exchange is for rabbitmq");
            assertRefused("postroom: {destinations: {a: {type: log, properties: {x: y}}}}")
                    .hasMessageContaining("is for kafka");
        }

        @Test
        void a_route_goes_to_destinations_that_exist() {
            assertRefused("postroom: {destinations: {main: {type: log}}, routes: [{topic: '**', destinations: mian}]}")
                    .hasMessageContaining("names 'mian', which is no destination: did you mean main?");
            assertRefused("postroom: {routes: [{topic: '**'}]}")
                    .hasMessageContaining("postroom.routes[0].destinations is missing");
        }

        @Test
        void list_entries_are_numbered_without_a_gap() {
            assertThatThrownBy(() -> fromEnvironment(Map.of(
                            "POSTROOM_ADMIN_USERS_1_NAME", "ada",
                            "POSTROOM_ADMIN_USERS_1_PASSWORD", "x",
                            "POSTROOM_ADMIN_USERS_1_ROLE", "viewer")))
                    .hasMessageContaining("number them from 0");
        }

        @Test
        @Tag("R55")
        void a_user_has_a_name_a_password_and_a_role() {
            assertRefused("postroom: {admin: {users: [{name: ada, password: ''}]}}")
                    .hasMessageContaining("postroom.admin.users[0].password is missing")
                    .hasMessageContaining("postroom.admin.users[0].role is missing");
        }
    }
}
