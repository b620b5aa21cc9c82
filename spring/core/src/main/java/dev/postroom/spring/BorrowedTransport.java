package dev.postroom.spring;

import dev.postroom.secrets.Secrets;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Transport;
import java.util.function.Consumer;

/**
 * A transport that its relay does not close. For transports that are beans: the context closes them, and a context that is
 * stopped and started again wants them alive. Thread-safe.
 */
public final class BorrowedTransport implements Transport {
    private final Transport owned;

    private BorrowedTransport(Transport owned) {
        this.owned = owned;
    }

    /** The same transport, without its close. */
    public static Transport of(Transport owned) {
        return new BorrowedTransport(owned);
    }

    @Override
    public void send(Delivery delivery, Consumer<Outcome> outcome) {
        owned.send(delivery, outcome);
    }

    @Override
    public boolean keepsOrder() {
        return owned.keepsOrder();
    }

    @Override
    public int capacity() {
        return owned.capacity();
    }

    @Override
    public String description() {
        return owned.description();
    }

    @Override
    public String system() {
        return owned.system();
    }

    @Override
    public Secrets secrets() {
        return owned.secrets();
    }

    /** Does nothing. */
    @Override
    public void close() {}
}
