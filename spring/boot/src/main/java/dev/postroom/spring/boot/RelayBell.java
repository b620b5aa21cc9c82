package dev.postroom.spring.boot;

import dev.postroom.outbox.CommitHint;
import dev.postroom.spring.RelayLifecycle;
import org.jspecify.annotations.Nullable;

/**
 * Rung by the outbox after each commit, heard by the relay if there is one. Between the two, because the relay's transports
 * may be beans that publish: they need the outbox, which therefore cannot need the relay. Thread-safe.
 */
final class RelayBell {
    private volatile @Nullable RelayLifecycle relay;

    void hangUpFor(RelayLifecycle listening) {
        relay = listening;
    }

    void ring(CommitHint hint) {
        RelayLifecycle listening = relay;
        if (listening != null) {
            listening.wake(hint);
        }
    }
}
