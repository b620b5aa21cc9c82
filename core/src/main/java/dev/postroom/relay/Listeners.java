package dev.postroom.relay;

import dev.postroom.FailureReason;
import dev.postroom.engine.Command;
import dev.postroom.engine.EngineListener;
import dev.postroom.engine.Refusal;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the log and the users' listeners; what a listener throws stays with the listener. */
final class Listeners implements RelayListener {
    private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

    private final EngineListener log;
    private final List<RelayListener> users;
    private volatile boolean complained;

    Listeners(EngineListener log, List<RelayListener> users) {
        this.log = log;
        this.users = users;
    }

    private void tell(Consumer<EngineListener> what) {
        what.accept(log);
        tellUsers(what::accept);
    }

    private void tellUsers(Consumer<RelayListener> what) {
        for (RelayListener user : users) {
            try {
                what.accept(user);
            } catch (OutOfMemoryError e) { // says nothing about the listener
                throw e;
            } catch (Throwable e) {
                if (!complained) {
                    complained = true;
                    LOG.warn(
                            "OUTBOX_WORKER_LISTENER_FAIL listener={} why=\"it throws, which is ignored and said once\"",
                            user.getClass().getName(),
                            e);
                }
            }
        }
    }

    /** The same work, timed if anybody wants to know. */
    <C extends Command> DeskWork<C> timing(DeskWork<C> work) {
        return users.isEmpty() ? work : new TimedWork<>(work, this);
    }

    @Override
    public void began(RelayView relay) {
        tellUsers(listener -> listener.began(relay));
    }

    @Override
    public void ended() {
        tellUsers(RelayListener::ended);
    }

    @Override
    public void crashed(Throwable error, Duration pause) {
        tellUsers(listener -> listener.crashed(error, pause));
    }

    @Override
    public void read(int messages, long nanos) {
        tellUsers(listener -> listener.read(messages, nanos));
    }

    @Override
    public void settled(int messages, long nanos) {
        tellUsers(listener -> listener.settled(messages, nanos));
    }

    @Override
    public void lanes(int owned, String why) {
        tell(listener -> listener.lanes(owned, why));
    }

    @Override
    public void standsBy(LaneStore.LiveNode inForce) {
        tell(listener -> listener.standsBy(inForce));
    }

    @Override
    public void isInForce() {
        tell(EngineListener::isInForce);
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
    public void breaker(String destination, @Nullable String topic, @Nullable String type, boolean open, String why) {
        tell(listener -> listener.breaker(destination, topic, type, open, why));
    }

    @Override
    public void unrouted(String topic, boolean held) {
        tell(listener -> listener.unrouted(topic, held));
    }

    @Override
    public void settleRefused(RowKey key, Refusal became, String error) {
        tell(listener -> listener.settleRefused(key, became, error));
    }

    @Override
    public void databaseTrouble(String desk, String error) {
        tell(listener -> listener.databaseTrouble(desk, error));
    }
}
