package dev.postroom.relay;

import dev.postroom.FailureReason;
import dev.postroom.engine.EngineListener;
import dev.postroom.spi.StoredMessage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the log and the user's listener; what a listener throws stays with the listener. */
final class Listeners implements EngineListener {
    private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

    private final EngineListener log;
    private final EngineListener user;
    private boolean complained;

    Listeners(EngineListener log, EngineListener user) {
        this.log = log;
        this.user = user;
    }

    private void tell(Consumer<EngineListener> what) {
        what.accept(log);
        if (user != EngineListener.NONE) {
            try {
                what.accept(user);
            } catch (RuntimeException e) {
                if (!complained) {
                    complained = true;
                    LOG.warn("OUTBOX_WORKER_LISTENER_FAIL the relay's listener throws, said once", e);
                }
            }
        }
    }

    @Override
    public void lanes(int owned, String why) {
        tell(listener -> listener.lanes(owned, why));
    }

    @Override
    public void fetched(int rows) {
        tell(listener -> listener.fetched(rows));
    }

    @Override
    public void delivered(StoredMessage message, String destination) {
        tell(listener -> listener.delivered(message, destination));
    }

    @Override
    public void failed(
            StoredMessage message,
            @Nullable String destination,
            FailureReason reason,
            String error,
            int attempts,
            long retryAfterMillis) {
        tell(listener -> listener.failed(message, destination, reason, error, attempts, retryAfterMillis));
    }

    @Override
    public void duplicates(int count) {
        tell(listener -> listener.duplicates(count));
    }

    @Override
    public void overtaken(int count) {
        tell(listener -> listener.overtaken(count));
    }

    @Override
    public void breaker(String destination, @Nullable String topic, boolean open, String why) {
        tell(listener -> listener.breaker(destination, topic, open, why));
    }

    @Override
    public void databaseTrouble(String desk, String error) {
        tell(listener -> listener.databaseTrouble(desk, error));
    }
}
