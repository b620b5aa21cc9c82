package dev.postroom.relay;

import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Delivers to the log: one INFO line per message, without its payload. For trying things out. Thread-safe. */
public final class LogTransport implements Transport {
    private static final Logger LOG = LoggerFactory.getLogger(LogTransport.class);

    @Override
    public void send(Delivery delivery, Consumer<Outcome> outcome) {
        LOG.info(
                "delivered id={} topic={} key={} type={} tenant={} bytes={} attempt={}",
                delivery.id(),
                Clean.text(delivery.topic()),
                Clean.text(delivery.key() == null ? "" : delivery.key()),
                Clean.text(delivery.type()),
                Clean.text(delivery.stream().tenant()),
                delivery.payload().length,
                delivery.attempt());
        outcome.accept(Outcome.confirmed());
    }

    @Override
    public boolean keepsOrder() {
        return true;
    }

    @Override
    public String description() {
        return "log";
    }
}
