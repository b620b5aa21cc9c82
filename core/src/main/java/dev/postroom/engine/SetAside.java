package dev.postroom.engine;

import dev.postroom.spi.RowKey;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes that the database refuses in every form. What was delivered is not sent again by this relay, not
 * even after it has lost the lane and taken it again, and what failed stays in memory and holds its stream; the next owner of the
 * lane knows nothing of either. One of them is tried again now and then, so that the others follow when the cause is gone.
 */
public final class SetAside {
    /** With more of them than this, nothing is sent: then it is not a few rows that are wrong. */
    public static final int MOST = 1_000;

    private static final int LEASES = 6;

    private final long interval;
    private final Map<UUID, Settlement> kept = new LinkedHashMap<>();
    private long nextTry = Long.MAX_VALUE;
    private @Nullable UUID tried;
    private String why = "";

    /** A cause that somebody has to find and correct does not go sooner than leases are lost. */
    public SetAside(Duration lease) {
        this.interval = lease.multipliedBy(LEASES).toNanos();
    }

    public int size() {
        return kept.size();
    }

    /** What the database said last. */
    public String why() {
        return why;
    }

    public boolean isFull() {
        return kept.size() >= MOST;
    }

    /** Keeps it; whether it is news. */
    public boolean add(Settlement settlement, String error, long now) {
        UUID id = settlement.key().id();
        boolean again = id.equals(tried);
        why = error;
        tried = null;
        nextTry = again || kept.isEmpty() ? now + interval : nextTry;
        // The next time it is another's turn.
        kept.remove(id);
        kept.put(id, settlement);
        return !again;
    }

    /** When {@link #next} has something to try. */
    public long nextTry() {
        return kept.isEmpty() ? Long.MAX_VALUE : nextTry;
    }

    /** The one to be tried again. */
    public @Nullable Settlement next(long now) {
        if (kept.isEmpty() || now < nextTry) {
            return null;
        }
        Settlement first = kept.values().iterator().next();
        tried = first.key().id();
        return first;
    }

    /** It is recorded after all: the others are tried at once. */
    public void recorded(RowKey key, long now) {
        Settlement settlement = kept.get(key.id());
        if (settlement != null && settlement.key().equals(key)) {
            kept.remove(key.id());
            tried = null;
            nextTry = now;
        }
    }

    /** The failures that left memory with their lane: whoever has that now sends these messages again, where nobody has confirmed them. */
    public void forgetFailures() {
        for (Settlement settlement : List.copyOf(kept.values())) {
            if (settlement instanceof Settlement.Failed failed
                    && !failed.subject().isPresent()) {
                forget(failed);
            }
        }
    }

    /** Somebody changed the message since it failed. */
    public void forgetFailure(RowKey key) {
        if (kept.get(key.id()) instanceof Settlement.Failed failed
                && failed.key().equals(key)) {
            forget(failed);
        }
    }

    /** Nothing is to be recorded any more but what others have confirmed. */
    private void forget(Settlement.Failed failed) {
        Settlement.Delivered confirmed = failed.confirmedOnly();
        if (confirmed == null) {
            kept.remove(failed.key().id());
        } else {
            kept.put(failed.key().id(), confirmed);
        }
    }

    /** What confirmed this very row without its being recorded; it happened, whoever changed the row since. */
    public long confirmed(StoredMessage row) {
        if (kept.isEmpty()) {
            return 0;
        }
        if (kept.get(row.key().id()) instanceof Settlement.Delivered delivered
                && delivered.key().equals(row.key())) {
            return delivered.success().confirmed();
        }
        return 0;
    }
}
