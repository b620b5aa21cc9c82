package dev.postroom.spring.boot;

import dev.postroom.relay.Destination;
import dev.postroom.spi.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where messages go.
 *
 * @param type One of rabbitmq, kafka, http and log; without, it is the Transport bean of this name.
 * @param rate Messages per second at most.
 * @param timeout How long it may take to answer.
 * @param breaker What happens while it is down.
 * @param contentMode How CloudEvents travel: binary or structured.
 * @param compression What becomes of payloads that the outbox has compressed: plain decompresses them, keep sends them so.
 * @param uri RabbitMQ's address.
 * @param exchange RabbitMQ's exchange.
 * @param routingKey RabbitMQ's routing key; the topic by default.
 * @param bootstrapServers Kafka's addresses.
 * @param topic Kafka's topic; the message's own by default.
 * @param properties Further properties of Kafka's producer.
 * @param url The address of a webhook.
 * @param secret What a webhook is signed with.
 * @param secrets What a webhook is signed with while one secret takes the place of another: each of these, at most four.
 * @param allowPrivateAddresses Whether a webhook may be in a private network.
 * @param tls Whom to trust, and which certificate to show.
 */
public record DestinationProperties(
        @Nullable String type,
        @Nullable Integer rate,
        @Nullable Duration timeout,
        @DefaultValue BreakerProperties breaker,
        @DefaultValue("binary") ContentModeProperty contentMode,
        @DefaultValue("plain") CompressionProperty compression,
        @Nullable String uri,
        @Nullable String exchange,
        @Nullable String routingKey,
        @DefaultValue List<String> bootstrapServers,
        @Nullable String topic,
        @DefaultValue Map<String, String> properties,
        @Nullable String url,
        @Nullable String secret,
        @DefaultValue List<String> secrets,
        @DefaultValue("false") boolean allowPrivateAddresses,
        @DefaultValue TlsProperties tls) {

    /** A webhook itself knows better what its timeout means, so the relay waits a little longer than that. */
    private static final Duration AFTER_WEBHOOK = Duration.ofSeconds(1);

    /**
     * What happens while a destination is down.
     *
     * @param probeInterval How often it is tried with one message.
     * @param failuresInARow After so many failures in a row of messages of several keys it is taken for down (20); 0 for never.
     */
    public record BreakerProperties(
            @Nullable Duration probeInterval, @Nullable Integer failuresInARow) {}

    /**
     * Whom to trust, and which certificate to show: a bundle of Spring Boot, or PEM files.
     *
     * @param bundle The name of an SSL bundle (spring.ssl.bundle).
     * @param authorities A PEM file with the certificates of the authorities to trust; the JVM's own by default.
     * @param certificate A PEM file with the certificate to show, and those between it and its authority.
     * @param privateKey A PEM file with the certificate's private key, in PKCS#8 without a password.
     */
    public record TlsProperties(
            @Nullable String bundle,
            @Nullable String authorities,
            @Nullable String certificate,
            @Nullable String privateKey) {}

    /** How CloudEvents travel. A class of our own, since the transports need not be there. */
    public enum ContentModeProperty {
        BINARY,
        STRUCTURED
    }

    /** What becomes of compressed payloads. A class of our own, since the transports need not be there. */
    public enum CompressionProperty {
        PLAIN,
        KEEP
    }

    Destination destination(String name, Transport transport) {
        Destination destination = Destination.of(name, transport);
        if (rate != null) {
            destination = destination.rate(rate);
        }
        if (timeout != null) {
            destination = destination.timeout("http".equals(type) ? timeout.plus(AFTER_WEBHOOK) : timeout);
        }
        Duration probeInterval = breaker.probeInterval();
        if (probeInterval != null) {
            destination = destination.probeInterval(probeInterval);
        }
        Integer failuresInARow = breaker.failuresInARow();
        return failuresInARow == null ? destination : destination.failuresInARow(failuresInARow);
    }
}
