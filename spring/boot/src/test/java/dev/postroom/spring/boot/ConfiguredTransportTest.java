package dev.postroom.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.PostroomException;
import dev.postroom.http.Webhook;
import dev.postroom.kafka.Kafka;
import dev.postroom.rabbitmq.RabbitMq;
import dev.postroom.relay.Destination;
import dev.postroom.spi.Transport;
import java.time.Duration;
import java.util.Map;
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
        return new ConfiguredTransport(KEY, settings(settings)).open();
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
        Destination destination = settings(Map.of("rate", "7", "timeout", "5s", "breaker.probe-interval", "9s"))
                .destination("out", transport);
        assertThat(destination)
                .isEqualTo(new Destination("out", transport, 7, Duration.ofSeconds(5), Duration.ofSeconds(9)));
    }
}
