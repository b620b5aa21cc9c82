package dev.postroom.server.serve;

import dev.postroom.PostroomException;
import dev.postroom.relay.Destination;
import dev.postroom.relay.LogTransport;
import dev.postroom.server.settings.Section;
import dev.postroom.spi.Transport;

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
        if (type.equals("log")) {
            return new LogTransport();
        }
        throw new PostroomException("destinations of type " + type
                + " come with a later version: this one has log only," + " change " + section.key("type"));
    }
}
