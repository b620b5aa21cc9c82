package dev.postroom.outbox;

import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.spi.NewMessage;
import java.sql.Connection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Messages collected first and written together. If one cannot be encoded, those before it are written, once, and it
 * and those after it stay staged, so that a retry goes on where this one stopped. If writing fails, all of them stay.
 * For one thread.
 */
public final class Staging {
    private final Outbox outbox;
    private final Deque<Message> staged = new ArrayDeque<>();

    Staging(Outbox outbox) {
        this.outbox = outbox;
    }

    /** Adds a message behind the others. Nothing is checked or written yet. */
    public Staging add(Message message) {
        staged.addLast(message);
        return this;
    }

    /** How many wait to be written. */
    public int size() {
        return staged.size();
    }

    /** What waits to be written, in order. */
    public List<Message> messages() {
        return List.copyOf(staged);
    }

    /** Forgets everything staged, for a caller that gave up. */
    public void clear() {
        staged.clear();
    }

    /**
     * Writes what is staged in the connection's transaction, in one round trip.
     *
     * <p>A message leaves the stage when its row is written, not when the transaction commits: a caller that rolls back
     * and wants to try again stages anew.
     *
     * @throws dev.postroom.MessageRejectedException after writing those before the first that cannot be encoded
     */
    public List<Published> flush(Connection connection) {
        List<NewMessage> encoded = new ArrayList<>();
        RuntimeException rejection = null;
        for (Message message : staged) {
            try {
                encoded.add(outbox.encode(message));
            } catch (RuntimeException e) {
                rejection = e;
                break;
            }
        }
        List<Published> results = write(connection, encoded, rejection);
        if (rejection != null) {
            throw rejection;
        }
        return results;
    }

    private List<Published> write(
            Connection connection,
            List<NewMessage> encoded,
            @org.jspecify.annotations.Nullable RuntimeException rejection) {
        try {
            List<Published> results = outbox.write(connection, encoded);
            encoded.forEach(written -> staged.removeFirst());
            return results;
        } catch (RuntimeException e) {
            if (rejection != null) {
                e.addSuppressed(rejection);
            }
            throw e;
        }
    }
}
