package dev.postroom.spring.boot;

import dev.postroom.PostroomException;
import dev.postroom.http.Webhook;
import dev.postroom.kafka.Kafka;
import dev.postroom.rabbitmq.RabbitMq;
import dev.postroom.relay.Destination;
import dev.postroom.relay.LogTransport;
import dev.postroom.spi.Transport;
import dev.postroom.transport.cloudevents.Compression;
import dev.postroom.transport.cloudevents.ContentMode;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * The transport of one destination, from its settings. Each kind is a class of its own, loaded when it is asked for: the
 * modules of the others need not be there.
 *
 * @param key the setting that all of its settings begin with
 * @param tls finds what its TLS settings mean
 * @param modules where the modules are looked for
 */
record ConfiguredTransport(String key, DestinationProperties settings, ConfiguredTls tls, ClassLoader modules) {

    ConfiguredTransport(String key, DestinationProperties settings, ConfiguredTls tls) {
        this(key, settings, tls, ConfiguredTransport.class.getClassLoader());
    }

    Transport open() {
        String type = Objects.requireNonNullElse(settings.type(), "");
        return switch (type) {
            case "log" -> new LogTransport();
            case "rabbitmq" -> {
                requireModule("dev.postroom.rabbitmq.RabbitMq", "postroom-rabbitmq");
                yield ToRabbitMq.open(this);
            }
            case "kafka" -> {
                requireModule("dev.postroom.kafka.Kafka", "postroom-kafka");
                yield ToKafka.open(this);
            }
            case "http" -> {
                requireModule("dev.postroom.http.Webhook", "postroom-http");
                yield ToWebhook.open(this);
            }
            default ->
                throw new PostroomException(key + ".type is none that there is (was '" + type
                        + "'): use rabbitmq, kafka, http or log, or leave it out for the Transport bean of that name");
        };
    }

    private void requireModule(String className, String artifact) {
        if (!ClassUtils.isPresent(className, modules)) {
            throw new PostroomException(
                    key + ".type is " + settings.type() + ", which is not on the class path: add " + artifact);
        }
    }

    /** Errors name the setting, and never its value, which may hold a password. */
    private <T> T naming(String setting, Supplier<T> made) {
        try {
            return made.get();
        } catch (PostroomException e) {
            throw new PostroomException(key + "." + setting + " is wrong: " + e.getMessage());
        }
    }

    /** The transport with the TLS that its settings ask for, or as it is. */
    private <T> T secured(T plain, BiFunction<T, SSLContext, T> with) {
        return naming("tls", () -> tls.context(settings.tls()).map(found -> with.apply(plain, found)))
                .orElse(plain);
    }

    private String required(String setting, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw new PostroomException(key + "." + setting + " is missing: say where " + settings.type() + " is");
        }
        return value;
    }

    /** Names of ours as the transports have them; apart from the rest, since the transports need not be there. */
    private static final class WireForm {
        static ContentMode mode(DestinationProperties settings) {
            return ContentMode.valueOf(settings.contentMode().name());
        }

        static Compression compression(DestinationProperties settings) {
            return Compression.valueOf(settings.compression().name());
        }
    }

    private static final class ToRabbitMq {
        static Transport open(ConfiguredTransport from) {
            DestinationProperties settings = from.settings();
            String uri = from.required("uri", settings.uri());
            RabbitMq transport = from.secured(from.naming("uri", () -> RabbitMq.at(uri)), RabbitMq::tls);
            if (settings.exchange() != null) {
                transport = transport.exchange(settings.exchange());
            }
            if (settings.routingKey() != null) {
                transport = transport.routingKey(settings.routingKey());
            }
            // The relay gives up after the timeout; what it does not wait for any more need not be remembered.
            RabbitMq routed = transport;
            return from.naming(
                            "compression",
                            () -> routed.contentMode(WireForm.mode(settings))
                                    .compression(WireForm.compression(settings)))
                    .confirmTimeout(Optional.ofNullable(settings.timeout()).orElse(Destination.DEFAULT_TIMEOUT));
        }
    }

    private static final class ToKafka {
        static Transport open(ConfiguredTransport from) {
            DestinationProperties settings = from.settings();
            String servers = from.required("bootstrap-servers", String.join(",", settings.bootstrapServers()));
            Kafka configured = from.naming("properties", () -> {
                Kafka kafka = Kafka.at(servers).properties(settings.properties());
                return settings.topic() == null ? kafka : kafka.topic(settings.topic());
            });
            Kafka formed = from.naming(
                    "compression",
                    () -> configured.contentMode(WireForm.mode(settings)).compression(WireForm.compression(settings)));
            return from.secured(formed, Kafka::tls);
        }
    }

    private static final class ToWebhook {
        static Transport open(ConfiguredTransport from) {
            DestinationProperties settings = from.settings();
            String url = from.required("url", settings.url());
            Webhook plain = from.secured(from.naming("url", () -> Webhook.to(url)), Webhook::tls);
            Webhook webhook = from.naming(
                    "compression",
                    () -> plain.contentMode(WireForm.mode(settings)).compression(WireForm.compression(settings)));
            if (settings.allowPrivateAddresses()) {
                webhook = webhook.allowPrivateAddresses();
            }
            Webhook signing = signing(from, webhook);
            Duration timeout = settings.timeout();
            return timeout == null ? signing : from.naming("timeout", () -> signing.timeout(timeout));
        }

        private static Webhook signing(ConfiguredTransport from, Webhook webhook) {
            String secret = Objects.requireNonNullElse(from.settings().secret(), "");
            List<String> several = from.settings().secrets();
            if (!several.isEmpty() && !secret.isBlank()) {
                throw new PostroomException(
                        from.key() + ".secrets and " + from.key() + ".secret are both given: keep the list");
            }
            if (!several.isEmpty()) {
                return from.naming("secrets", () -> webhook.secrets(several.toArray(String[]::new)));
            }
            return secret.isBlank() ? webhook : from.naming("secret", () -> webhook.secret(secret));
        }
    }
}
