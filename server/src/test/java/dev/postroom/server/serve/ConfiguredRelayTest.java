package dev.postroom.server.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.postroom.outbox.Limits;
import dev.postroom.policy.OnFailure;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.policy.Route;
import dev.postroom.policy.TopicPattern;
import dev.postroom.relay.Destination;
import dev.postroom.server.database.Installation;
import dev.postroom.server.settings.Settings;
import dev.postroom.server.settings.SettingsSources;
import dev.postroom.spi.TableNames;
import dev.postroom.transport.cloudevents.Compression;
import dev.postroom.transport.cloudevents.ContentMode;
import dev.postroom.transport.cloudevents.WireFormat;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every setting reaches what it is for. Nothing is connected to. */
@Tag("R54")
class ConfiguredRelayTest {
    @TempDir
    Path folder;

    private ConfiguredRelay configured(String yaml) throws IOException {
        Path file = Files.writeString(folder.resolve("postroom.yml"), yaml);
        try (Installation installation =
                new Installation(Settings.load(new SettingsSources(file, Map.of(), Map.of())))) {
            return ConfiguredRelay.from(installation);
        }
    }

    /** What an object keeps to itself: a builder or a transport does not tell what it was given. */
    private static Map<String, @Nullable Object> valuesIn(Object object) {
        Map<String, @Nullable Object> values = new HashMap<>();
        try {
            for (Field field : object.getClass().getDeclaredFields()) {
                field.setAccessible(true);
                values.put(field.getName(), field.get(object));
            }
            return values;
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, @Nullable Object> settingsOf(Object object) {
        return valuesIn(Objects.requireNonNull(valuesIn(object).get("settings")));
    }

    private static Destination destination(ConfiguredRelay relay, String name) {
        return relay.destinations().stream()
                .filter(destination -> destination.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void settings_of_the_relay_are_those_that_were_given() throws IOException {
        ConfiguredRelay relay = configured("""
                postroom:
                  database: {schema: shop, table-prefix: mine_}
                  destinations: {out: {type: log}}
                  relay: {lease: 21s, batch-size: 22, poll-min: 23ms, poll-max: 24s, routing-delay: 69s, max-in-flight: 25,
                          max-in-flight-bytes: 26KiB, stop-timeout: 27s, max-crashes: 28}
                  retry: {base: 3s, multiplier: 4, cap: 5m, jitter: 0.6, max-attempts: 7, error-length: 800}
                  limits: {payload-bytes: 9KiB, headers: 10, header-bytes: 11KiB}
                  retention: 11d
                """);
        assertThat(settingsOf(relay.builder()))
                .contains(
                        entry("names", new TableNames("shop", "mine_")),
                        entry("lease", Duration.ofSeconds(21)),
                        entry("batchSize", 22),
                        entry("pollMin", Duration.ofMillis(23)),
                        entry("pollMax", Duration.ofSeconds(24)),
                        entry("routingDelay", Duration.ofSeconds(69)),
                        entry("maxInFlight", 25),
                        entry("maxInFlightBytes", 26L << 10),
                        entry("stopTimeout", Duration.ofSeconds(27)),
                        entry("maxCrashes", 28),
                        entry("retry", new RetryPolicy(Duration.ofSeconds(3), 4, Duration.ofMinutes(5), 0.6, 7)),
                        entry("errorLength", 800),
                        entry("limits", Limits.DEFAULT.payloadBytes(9 << 10).headers(10, 11 << 10)),
                        entry("retention", Duration.ofDays(11)),
                        entry("destinations", relay.destinations()));
    }

    @Test
    void retry_preset_is_where_single_values_begin_and_nothing_is_kept_without_retention() throws IOException {
        ConfiguredRelay relay = configured("""
                postroom:
                  destinations: {out: {type: log}}
                  retry: {preset: patient, max-attempts: 3}
                  retention: none
                """);
        assertThat(settingsOf(relay.builder()))
                .contains(entry("retry", RetryPolicy.preset("patient").maxAttempts(3)), entry("retention", null));
    }

    @Test
    void routes_have_their_own_retries_or_those_of_the_relay() throws IOException {
        ConfiguredRelay relay = configured("""
                postroom:
                  destinations: {a: {type: log}, b: {type: log}}
                  retry: {preset: quick}
                  routes:
                    - {topic: 'orders.*', destinations: [a, b], on-failure: skip, expire-after: 90m, retry: {preset: fixed, max-attempts: 9}}
                    - {topic: '**', destinations: b}
                """);
        assertThat(relay.routes())
                .containsExactly(
                        new Route(
                                new TopicPattern("orders.*"),
                                List.of("a", "b"),
                                OnFailure.SKIP,
                                RetryPolicy.preset("fixed").maxAttempts(9),
                                Map.of(),
                                Map.of(),
                                Duration.ofMinutes(90)),
                        Route.of("**", "b").retry(RetryPolicy.preset("quick")));
        assertThat(settingsOf(relay.builder())).containsEntry("routes", relay.routes());
    }

    @Test
    void destinations_are_as_fast_and_patient_as_they_are_told() throws IOException {
        ConfiguredRelay relay = configured("""
                postroom:
                  destinations:
                    out: {type: log, rate: 31, timeout: 32s, breaker: {probe-interval: 33s, failures-in-a-row: 35}}
                    plain: {type: log}
                    hook: {type: http, url: 'https://example.com/', timeout: 34s}
                """);
        Destination out = destination(relay, "out");
        assertThat(out)
                .isEqualTo(new Destination(
                        "out", out.transport(), 31, Duration.ofSeconds(32), Duration.ofSeconds(33), 35));
        Destination plain = destination(relay, "plain");
        assertThat(plain).isEqualTo(Destination.of("plain", plain.transport()));
        assertThat(destination(relay, "hook").timeout())
                .as("the webhook itself gives up first, and says why")
                .isEqualTo(Duration.ofSeconds(35));
    }

    @Test
    void transports_have_the_settings_of_their_destinations() throws IOException {
        ConfiguredRelay relay = configured("""
                postroom:
                  destinations:
                    rabbit: {type: rabbitmq, uri: 'amqp://h', exchange: x, routing-key: r, timeout: 41s, content-mode: structured}
                    stream: {type: kafka, bootstrap-servers: [a:1, b:2], topic: t, properties: {linger.ms: 7},
                             content-mode: structured}
                    hook: {type: http, url: 'https://example.com/', secret: 'one  two, three', timeout: 42s, content-mode: structured,
                           allow-private-addresses: true}
                    closed: {type: http, url: 'https://example.com/'}
                    packed: {type: rabbitmq, uri: 'amqp://h', compression: keep}
                    packed-stream: {type: kafka, bootstrap-servers: a:1, compression: keep}
                    packed-hook: {type: http, url: 'https://example.com/', compression: keep}
                """);
        for (String name : List.of("packed", "packed-stream", "packed-hook")) {
            assertThat(settingsOf(destination(relay, name).transport()))
                    .containsEntry("format", WireFormat.DEFAULT.compression(Compression.KEEP));
        }
        assertThat(settingsOf(destination(relay, "rabbit").transport()))
                .contains(entry("exchange", "x"), entry("confirmTimeout", Duration.ofSeconds(41)))
                .hasEntrySatisfying(
                        "routingKey",
                        key -> assertThat(((Function<?, ?>) key).apply(null)).isEqualTo("r"))
                .containsEntry("format", WireFormat.DEFAULT.mode(ContentMode.STRUCTURED));
        assertThat(settingsOf(destination(relay, "stream").transport()))
                .contains(
                        entry("bootstrapServers", "a:1,b:2"),
                        entry("topic", "t"),
                        entry("properties", Map.of("linger.ms", "7")))
                .containsEntry("format", WireFormat.DEFAULT.mode(ContentMode.STRUCTURED));
        assertThat(settingsOf(destination(relay, "hook").transport()))
                .containsEntry("timeout", Duration.ofSeconds(42))
                .hasEntrySatisfying(
                        "secrets", secrets -> assertThat((List<?>) secrets).hasSize(1))
                .containsEntry("format", WireFormat.DEFAULT.mode(ContentMode.STRUCTURED));
        assertThat(settingsOf(destination(relay, "hook").transport()).get("addresses"))
                .as("private addresses are allowed only where that was asked for")
                .isNotEqualTo(
                        settingsOf(destination(relay, "closed").transport()).get("addresses"));
    }

    @Test
    @Tag("R57")
    void several_secrets_of_a_webhook_are_a_list() throws IOException {
        ConfiguredRelay relay = configured("""
                postroom:
                  destinations:
                    hook: {type: http, url: 'https://example.com/', secrets: ['one, with a comma', 'another one']}
                """);
        assertThat(settingsOf(destination(relay, "hook").transport()))
                .hasEntrySatisfying(
                        "secrets", secrets -> assertThat((List<?>) secrets).hasSize(2));
        String hook = "postroom: {destinations: {out: {type: http, url: 'https://example.com/', ";
        assertThatThrownBy(() -> configured(hook + "secret: a, secrets: [b]}}}"))
                .hasMessageContaining(
                        "postroom.destinations.out.secrets and postroom.destinations.out.secret are both");
        assertThatThrownBy(() -> configured(hook + "secrets: [a, b, c, d, e]}}}"))
                .hasMessageStartingWith("postroom.destinations.out.secrets is wrong: a webhook has at most 4 secrets");
        assertThatThrownBy(() -> configured(hook + "secret: 'whsec_YWJj whsec_ZGVm'}}}"))
                .hasMessageStartingWith("postroom.destinations.out.secret is wrong: ")
                .hasMessageNotContaining("YWJj");
        assertThatThrownBy(() -> configured("postroom: {destinations: {out: {type: log, secrets: [a]}}}"))
                .hasMessageContaining("postroom.destinations.out.secrets is for http");
    }

    @Test
    void compression_that_cannot_be_kept_is_an_error_that_names_the_setting() {
        for (String address : List.of(
                "type: rabbitmq, uri: 'amqp://h'",
                "type: kafka, bootstrap-servers: a:1",
                "type: http, url: 'https://example.com/'")) {
            assertThatThrownBy(() -> configured("postroom: {destinations: {out: {" + address
                            + ", content-mode: structured, compression: keep}}}"))
                    .hasMessageStartingWith("postroom.destinations.out.compression is wrong: ");
        }
    }
}
