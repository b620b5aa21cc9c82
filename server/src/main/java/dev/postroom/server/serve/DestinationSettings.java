package dev.postroom.server.serve;

import dev.postroom.PostroomException;
import dev.postroom.rabbitmq.RabbitMq;
import dev.postroom.relay.Destination;
import dev.postroom.relay.LogTransport;
import dev.postroom.server.settings.Section;
import dev.postroom.spi.Transport;
import dev.postroom.transport.cloudevents.ContentMode;
import java.util.Locale;

/** A destination from settings. */
final class DestinationSettings {
    private DestinationSettings() {}

    static Destination of(String name, Section section) {
        Destination plain = Destination.of(name, transport(section));
        return plain.rate(section.integer("rate").orElse(plain.rate()))
                .timeout(section.duration("timeout").orElse(plain.timeout()))
                .probeInterval(section.duration("breaker.probe-interval").orElse(plain.probeInterval()));
    }

    private static Transport transport(Section section) {
        String type = section.text("type").orElse("");
        return switch (type) {
            case "log" -> new LogTransport();
            case "rabbitmq" -> rabbitMq(section);
            default ->
                throw new PostroomException("destinations of type " + type
                        + " come with a later version: this one has rabbitmq and log, change " + section.key("type"));
        };
    }

    private static Transport rabbitMq(Section section) {
        RabbitMq transport = rabbitMqAt(section);
        if (section.text("exchange").isPresent()) {
            transport = transport.exchange(section.text("exchange").get());
        }
        if (section.text("routing-key").isPresent()) {
            transport = transport.routingKey(section.text("routing-key").get());
        }
        // The relay gives up after the timeout; what it does not wait for any more need not be remembered.
        return transport
                .contentMode(contentMode(section))
                .confirmTimeout(section.duration("timeout").orElse(Destination.DEFAULT_TIMEOUT));
    }

    private static RabbitMq rabbitMqAt(Section section) {
        try {
            return RabbitMq.at(section.text("uri").orElse(""));
        } catch (PostroomException e) {
            throw new PostroomException(section.key("uri") + " is wrong: " + e.getMessage());
        }
    }

    private static ContentMode contentMode(Section section) {
        return section.text("content-mode")
                .map(mode -> ContentMode.valueOf(mode.toUpperCase(Locale.ROOT)))
                .orElse(ContentMode.BINARY);
    }
}
