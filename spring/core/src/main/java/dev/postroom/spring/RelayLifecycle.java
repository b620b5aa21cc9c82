package dev.postroom.spring;

import dev.postroom.DatabaseException;
import dev.postroom.outbox.CommitHint;
import dev.postroom.relay.Relay;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/**
 * A relay that begins when the application context has started everything else, and ends before anything else is stopped, so
 * that its handlers and its connection pool outlive it. While the database does not answer, the context starts without it,
 * and it begins in the background when the database does. Thread-safe.
 *
 * <pre>{@code
 * @Bean
 * RelayLifecycle relay(DataSource dataSource, Transport transport) {
 *     return new RelayLifecycle(() -> Relay.on(dataSource).deliverTo(BorrowedTransport.of(transport)).start());
 * }
 * }</pre>
 */
public final class RelayLifecycle implements SmartLifecycle, DisposableBean {
    private final Supplier<Relay> starter;
    private volatile @Nullable Relay relay;
    private volatile @Nullable LateStart late;

    /** Starts a relay with this each time the context is started; a context may be stopped and started again. */
    public RelayLifecycle(Supplier<Relay> starter) {
        this.starter = starter;
    }

    /**
     * Starts a relay, if none runs. What the starter throws ends the start of the context, unless it is that the database
     * does not answer.
     */
    @Override
    public synchronized void start() {
        if (isRunning()) {
            return;
        }
        try {
            relay = starter.get();
        } catch (DatabaseException e) {
            if (!e.isUnreachable()) {
                throw e;
            }
            late = LateStart.begin(starter, e, this::began);
        }
    }

    /** False when it is not wanted any more. */
    private synchronized boolean began(LateStart by, Relay started) {
        if (late != by) {
            return false;
        }
        late = null;
        relay = started;
        return true;
    }

    /** What the database or its driver says while the relay waits for it, or null. */
    public @Nullable String waitsFor() {
        LateStart waiting = late;
        return waiting == null ? null : waiting.why();
    }

    /**
     * Closes the relay, and returns when it is closed: what is under way has been recorded, or is left to its lease. Spring
     * waits for that, however short its own limit for a phase is, since it calls this on its own thread.
     */
    @Override
    public synchronized void stop() {
        LateStart waiting = late;
        late = null;
        if (waiting != null) {
            waiting.close();
        }
        Relay running = relay;
        if (running != null) {
            relay = null;
            running.close();
        }
    }

    /** For a context that fails while it starts, and therefore is never stopped. */
    @Override
    public void destroy() {
        stop();
    }

    @Override
    public boolean isRunning() {
        return relay != null || late != null;
    }

    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }

    /** The relay that runs now, or null. */
    public @Nullable Relay relay() {
        return relay;
    }

    /** This row was committed; for {@link dev.postroom.outbox.Outbox.Builder#onCommit}. Does nothing while none runs. */
    public void wake(CommitHint hint) {
        Relay running = relay;
        if (running != null) {
            running.wake(hint);
        }
    }
}
