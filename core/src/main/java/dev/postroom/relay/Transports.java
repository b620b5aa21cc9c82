package dev.postroom.relay;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes what a relay was given, whatever one of them throws. */
final class Transports {
    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);

    private Transports() {}

    static void close(List<Destination> destinations) {
        for (Destination destination : destinations) {
            try {
                destination.transport().close();
            } catch (RuntimeException e) {
                LOG.warn(
                        "OUTBOX_WORKER_CLOSE_FAIL destination={} error=\"{}\"",
                        destination.name(),
                        Clean.text(destination.transport().secrets().hide(Errors.withClass(e))));
            }
        }
    }
}
