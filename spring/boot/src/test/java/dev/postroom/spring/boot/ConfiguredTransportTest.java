package dev.postroom.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.postroom.PostroomException;
import dev.postroom.http.Webhook;
import dev.postroom.kafka.Kafka;
import dev.postroom.rabbitmq.RabbitMq;
import dev.postroom.relay.Destination;
import dev.postroom.spi.Transport;
import dev.postroom.transport.cloudevents.Compression;
import dev.postroom.transport.cloudevents.ContentMode;
import dev.postroom.transport.cloudevents.WireFormat;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Destinations from settings, with the modules they need on the class path. */
class ConfiguredTransportTest {
    private static final String KEY = "postroom.destinations.out";

    private static DestinationProperties settings(Map<String, String> settings) {
        MapConfigurationPropertySource source = new MapConfigurationPropertySource();
        settings.forEach((name, value) -> source.put(KEY + "." + name, value));
        return new Binder(source).bind(KEY, DestinationProperties.class).get();
    }

    private static Transport open(Map<String, String> settings) {
        return new ConfiguredTransport(KEY, settings(settings), ConfiguredTls.WITHOUT_BUNDLES).open();
    }

    @Test
    void each_type_opens_its_transport() {
        try (Transport rabbit = open(Map.of(
                        "type",
                        "rabbitmq",
                        "uri",
                        "amqp://me:hidden@127.0.0.1:1",
                        "exchange",
                        "e",
                        "routing-key",
                        "k"));
                Transport kafka = open(Map.of(
                        "type", "kafka", "bootstrap-servers", "127.0.0.1:1,127.0.0.1:2", "properties.linger.ms", "5"));
                Transport http = open(Map.of(
                        "type",
                        "http",
                        "url",
                        "https://example.org/hook",
                        "timeout",
                        "5s",
                        "content-mode",
                        "structured"))) {
            assertThat(rabbit).isInstanceOf(RabbitMq.class);
            assertThat(rabbit.description()).doesNotContain("hidden");
            assertThat(kafka).isInstanceOf(Kafka.class);
            assertThat(http).isInstanceOf(Webhook.class);
        }
    }

    @Test
    void module_that_a_type_needs_is_named() {
        for (String type : List.of("rabbitmq", "kafka", "http")) {
            ConfiguredTransport without = new ConfiguredTransport(
                    KEY,
                    settings(Map.of("type", type)),
                    ConfiguredTls.WITHOUT_BUNDLES,
                    ClassLoader.getPlatformClassLoader());
            assertThatThrownBy(without::open)
                    .isInstanceOf(PostroomException.class)
                    .hasMessageEndingWith("is " + type + ", which is not on the class path: add postroom-" + type);
        }
    }

    @Test
    void several_secrets_of_a_webhook_are_a_list() {
        Map<String, String> hook = new HashMap<>(Map.of("type", "http", "url", "https://example.com/"));
        hook.put("secrets[0]", "one, with a comma");
        hook.put("secrets[1]", "another one");
        assertThat(Inside.settingsOf(open(hook)))
                .hasEntrySatisfying(
                        "secrets", secrets -> assertThat((List<?>) secrets).hasSize(2));
        hook.put("secret", "a third");
        assertThatThrownBy(() -> open(hook))
                .hasMessage(KEY + ".secrets and " + KEY + ".secret are both given: keep the list");
    }

    @Test
    void compressed_payloads_stay_so_where_that_is_set_and_possible() {
        for (Map<String, String> where : List.of(
                Map.of("type", "rabbitmq", "uri", "amqp://h"),
                Map.of("type", "kafka", "bootstrap-servers", "a:1"),
                Map.of("type", "http", "url", "https://example.com/"))) {
            assertThat(Inside.settingsOf(open(where))).contains(entry("format", WireFormat.DEFAULT));
            Map<String, String> kept = new HashMap<>(where);
            kept.put("compression", "keep");
            assertThat(Inside.settingsOf(open(kept)))
                    .contains(entry("format", WireFormat.DEFAULT.compression(Compression.KEEP)));
            kept.put("content-mode", "structured");
            assertThatThrownBy(() -> open(kept)).hasMessageStartingWith(KEY + ".compression is wrong: ");
        }
    }

    @Test
    void transport_has_the_settings_of_its_destination() {
        String mode = "content-mode";
        assertThat(Inside.settingsOf(open(Map.of(
                        "type",
                        "rabbitmq",
                        "uri",
                        "amqp://h",
                        "exchange",
                        "x",
                        "routing-key",
                        "r",
                        "timeout",
                        "41s",
                        mode,
                        "structured"))))
                .contains(
                        entry("exchange", "x"),
                        entry("confirmTimeout", Duration.ofSeconds(41)),
                        entry("format", WireFormat.DEFAULT.mode(ContentMode.STRUCTURED)))
                .hasEntrySatisfying(
                        "routingKey",
                        key -> assertThat(((Function<?, ?>) key).apply(null)).isEqualTo("r"));
        assertThat(Inside.settingsOf(open(Map.of(
                        "type",
                        "kafka",
                        "bootstrap-servers",
                        "a:1,b:2",
                        "topic",
                        "t",
                        "properties.linger.ms",
                        "7",
                        mode,
                        "structured"))))
                .contains(
                        entry("bootstrapServers", "a:1,b:2"),
                        entry("topic", "t"),
                        entry("properties", Map.of("linger.ms", "7")),
                        entry("format", WireFormat.DEFAULT.mode(ContentMode.STRUCTURED)));
        Map<String, @Nullable Object> hook = Inside.settingsOf(open(Map.of(
                "type",
                "http",
                "url",
                "https://example.com/",
                "secret",
                " one  two ",
                "timeout",
                "42s",
                "allow-private-addresses",
                "true",
                mode,
                "structured")));
        assertThat(hook)
                .contains(
                        entry("timeout", Duration.ofSeconds(42)),
                        entry("format", WireFormat.DEFAULT.mode(ContentMode.STRUCTURED)))
                .hasEntrySatisfying(
                        "secrets", secrets -> assertThat((List<?>) secrets).hasSize(1));
        assertThat(hook.get("addresses"))
                .as("private addresses are allowed only where that was asked for")
                .isNotEqualTo(Inside.settingsOf(open(Map.of("type", "http", "url", "https://example.com/")))
                        .get("addresses"));
    }

    @Test
    void webhook_gives_up_before_the_relay_does() {
        Transport transport = (delivery, outcome) -> {};
        assertThat(settings(Map.of("type", "http", "timeout", "5s"))
                        .destination("out", transport)
                        .timeout())
                .isEqualTo(Duration.ofSeconds(6));
    }

    @Test
    void address_that_is_missing_is_named() {
        Map<String, String> addresses = Map.of("rabbitmq", "uri", "kafka", "bootstrap-servers", "http", "url");
        addresses.forEach((type, setting) -> assertThatThrownBy(() -> open(Map.of("type", type)))
                .isInstanceOf(PostroomException.class)
                .hasMessageStartingWith(KEY + "." + setting + " is missing"));
    }

    @Test
    void value_that_is_wrong_is_named_without_its_password() {
        assertThatThrownBy(() -> open(Map.of("type", "rabbitmq", "uri", "pigeon://me:hidden@127.0.0.1")))
                .hasMessageStartingWith(KEY + ".uri is wrong")
                .hasMessageNotContaining("hidden");
    }

    @Test
    void what_all_destinations_have_is_taken_over() {
        Transport transport = (delivery, outcome) -> {};
        Destination destination = settings(Map.of(
                        "rate",
                        "7",
                        "timeout",
                        "5s",
                        "breaker.probe-interval",
                        "9s",
                        "breaker.failures-in-a-row",
                        "11"))
                .destination("out", transport);
        assertThat(destination)
                .isEqualTo(new Destination("out", transport, 7, Duration.ofSeconds(5), Duration.ofSeconds(9), 11));
    }
}
