package dev.postroom.server.serve;

import dev.postroom.PostroomException;
import dev.postroom.http.Webhook;
import dev.postroom.kafka.Kafka;
import dev.postroom.rabbitmq.RabbitMq;
import dev.postroom.relay.Destination;
import dev.postroom.relay.LogTransport;
import dev.postroom.server.settings.Section;
import dev.postroom.spi.Transport;
import dev.postroom.tls.Tls;
import dev.postroom.transport.cloudevents.Compression;
import dev.postroom.transport.cloudevents.ContentMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A destination from settings. */
final class DestinationSettings {
    private DestinationSettings() {}

    /** A webhook itself knows better what its timeout means, so the relay waits a little longer than that. */
    private static final Duration AFTER_WEBHOOK = Duration.ofSeconds(1);

    static Destination of(String name, Section section) {
        Destination plain = Destination.of(name, transport(section));
        boolean webhook = section.text("type").orElse("").equals("http");
        return plain.rate(section.integer("rate").orElse(plain.rate()))
                .timeout(section.duration("timeout")
                        .map(timeout -> webhook ? timeout.plus(AFTER_WEBHOOK) : timeout)
                        .orElse(plain.timeout()))
                .probeInterval(section.duration("breaker.probe-interval").orElse(plain.probeInterval()))
                .failuresInARow(section.integer("breaker.failures-in-a-row").orElse(plain.failuresInARow()));
    }

    private static Transport transport(Section section) {
        String type = section.text("type").orElse("");
        return switch (type) {
            case "log" -> new LogTransport();
            case "rabbitmq" -> rabbitMq(section);
            case "kafka" -> kafka(section);
            case "http" -> webhook(section);
            default ->
                throw new PostroomException(section.key("type") + " is none that there is (was '" + type
                        + "'): use rabbitmq, kafka, http or log");
        };
    }

    private static Transport kafka(Section section) {
        Kafka plain = naming(section, "properties", () -> {
            Kafka kafka = Kafka.at(String.join(",", section.words("bootstrap-servers")))
                    .properties(section.everythingBelow("properties"));
            return section.text("topic").map(kafka::topic).orElse(kafka);
        });
        Kafka trusting = tls(section)
                .map(tls -> naming(section, "tls", () -> plain.tls(tls)))
                .orElse(plain);
        return naming(
                section,
                "compression",
                () -> trusting.contentMode(contentMode(section)).compression(compression(section)));
    }

    private static Transport webhook(Section section) {
        Webhook plain =
                naming(section, "url", () -> Webhook.to(section.text("url").orElse("")));
        Webhook trusting = tls(section)
                .map(tls -> naming(section, "tls", () -> plain.tls(tls)))
                .orElse(plain);
        Webhook webhook = naming(
                section,
                "compression",
                () -> trusting.contentMode(contentMode(section)).compression(compression(section)));
        if (section.flag("allow-private-addresses").orElse(false)) {
            webhook = webhook.allowPrivateAddresses();
        }
        Webhook signing = signing(section, webhook);
        return section.duration("timeout")
                .map(timeout -> naming(section, "timeout", () -> signing.timeout(timeout)))
                .orElse(signing);
    }

    private static Webhook signing(Section section, Webhook webhook) {
        List<String> several = section.texts("secrets");
        if (!several.isEmpty()) {
            return naming(section, "secrets", () -> webhook.secrets(several.toArray(String[]::new)));
        }
        return section.text("secret")
                .filter(secret -> !secret.isBlank())
                .map(secret -> naming(section, "secret", () -> webhook.secret(secret)))
                .orElse(webhook);
    }

    /** Errors name the setting. */
    private static <T> T naming(Section section, String setting, Supplier<T> made) {
        try {
            return made.get();
        } catch (PostroomException e) {
            throw new PostroomException(section.key(setting) + " is wrong: " + e.getMessage());
        }
    }

    private static Transport rabbitMq(Section section) {
        RabbitMq transport = rabbitMqAt(section);
        if (section.text("exchange").isPresent()) {
            transport = transport.exchange(section.text("exchange").get());
        }
        if (section.text("routing-key").isPresent()) {
            transport = transport.routingKey(section.text("routing-key").get());
        }
        RabbitMq routed = transport;
        // The relay gives up after the timeout; what it does not wait for any more need not be remembered.
        return naming(
                        section,
                        "compression",
                        () -> routed.contentMode(contentMode(section)).compression(compression(section)))
                .confirmTimeout(section.duration("timeout").orElse(Destination.DEFAULT_TIMEOUT));
    }

    private static RabbitMq rabbitMqAt(Section section) {
        RabbitMq plain =
                naming(section, "uri", () -> RabbitMq.at(section.text("uri").orElse("")));
        return tls(section)
                .map(tls -> naming(section, "tls", () -> plain.tls(tls)))
                .orElse(plain);
    }

    /** Empty when nothing is said of it, and the client's own defaults are meant. */
    private static Optional<SSLContext> tls(Section section) {
        if (section.everythingBelow("tls").isEmpty()) {
            return Optional.empty();
        }
        Tls files = new Tls(
                file(section, "tls.authorities"), file(section, "tls.certificate"), file(section, "tls.private-key"));
        return Optional.of(naming(section, "tls", files::context));
    }

    private static @Nullable Path file(Section section, String setting) {
        return section.text(setting).map(Path::of).orElse(null);
    }

    private static Compression compression(Section section) {
        return section.text("compression")
                .map(compression -> Compression.valueOf(compression.toUpperCase(Locale.ROOT)))
                .orElse(Compression.PLAIN);
    }

    private static ContentMode contentMode(Section section) {
        return section.text("content-mode")
                .map(mode -> ContentMode.valueOf(mode.toUpperCase(Locale.ROOT)))
                .orElse(ContentMode.BINARY);
    }
}
