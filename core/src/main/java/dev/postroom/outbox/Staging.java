package dev.postroom.outbox;

import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.outbox.TransactionEnd.Ending;
import dev.postroom.spi.NewMessage;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Messages collected first and written together. If one cannot be encoded, those before it are written, once, and it
 * and those after it stay staged, so that a retry goes on where this one stopped. If writing fails, all of them stay.
 *
 * <p>What is written leaves the stage for good when its transaction commits, and is staged again, in its place, when that
 * rolls back. When nobody knows whether it committed, because the answer was lost, it is staged again with the ids that it had:
 * the next flush answers {@link Published#alreadyExisted} for what was written after all. In {@link Outbox#inTransaction} and by {@link #flush()} the stage sees that by itself. On a connection of the
 * caller's own it has to be told, by {@link #committed} and {@link #rolledBack}. For one thread.
 */
public final class Staging {
    private final Outbox outbox;
    /** In order, also those that are written in a transaction that has not ended. */
    private final List<Entry> entries = new ArrayList<>();
    /** Of those written, the ones of whose transactions only the caller knows the end. */
    private List<Entry> untold = new ArrayList<>();

    Staging(Outbox outbox) {
        this.outbox = outbox;
    }

    private static final class Entry {
        final Message message;
        boolean isWritten;
        boolean isCommitted;
        /** The id that it was last written with. */
        @Nullable
        UUID writtenAs;

        /** What was written then may be there. */
        boolean mayBeThere;

        Entry(Message message) {
            this.message = message;
        }

        /** An id that was drawn is looked for only if it has to be: that costs two queries. */
        Message toWrite() {
            return mayBeThere && writtenAs != null ? message.id(writtenAs) : message;
        }
    }

    /** Adds a message behind the others. Nothing is checked or written yet. */
    public Staging add(Message message) {
        entries.add(new Entry(message));
        return this;
    }

    /** How many wait to be written. */
    public int size() {
        return waiting().size();
    }

    /** What waits to be written, in order. */
    public List<Message> messages() {
        return waiting().stream().map(entry -> entry.message).toList();
    }

    /** Forgets everything staged, for a caller that gave up. */
    public void clear() {
        entries.clear();
        untold = new ArrayList<>();
    }

    /**
     * Writes what is staged in the transaction that the calling code is in, in one round trip.
     *
     * @throws dev.postroom.NoTransactionException if there is none
     * @throws dev.postroom.MessageRejectedException after writing those before the first that cannot be encoded
     */
    public List<Published> flush() {
        return flush(batch -> outbox.writeAmbient(batch.encoded, batch::ended));
    }

    /**
     * Writes what is staged in the connection's transaction, in one round trip. Unless that is one of
     * {@link Outbox#inTransaction}, say afterwards how it ended: {@link #committed} or {@link #rolledBack}. Who says neither
     * finds what was written gone from the stage, also after a rollback.
     *
     * @throws dev.postroom.MessageRejectedException after writing those before the first that cannot be encoded
     */
    public List<Published> flush(Connection connection) {
        return flush(batch -> {
            List<Published> results = outbox.write(connection, batch.encoded);
            if (!outbox.tells(connection, results, batch::ended)) {
                untold.addAll(batch.entries);
            }
            return results;
        });
    }

    /** The transactions of the caller's own in which something was written have committed. */
    public void committed() {
        end(untold, Ending.COMMITTED);
        untold = new ArrayList<>();
    }

    /**
     * The transaction of the caller's own in which something was written has rolled back: all that was written since the stage
     * was last told is staged again. Also right after a commit that failed, when that may have committed all the same.
     */
    public void rolledBack() {
        end(untold, Ending.UNKNOWN);
        untold = new ArrayList<>();
    }

    private List<Entry> waiting() {
        return entries.stream().filter(entry -> !entry.isWritten).toList();
    }

    private List<Published> flush(Function<Batch, List<Published>> write) {
        Batch batch = new Batch();
        RuntimeException rejection = batch.encode();
        List<Published> results;
        try {
            results = write.apply(batch);
        } catch (RuntimeException e) {
            if (rejection != null) {
                e.addSuppressed(rejection);
            }
            throw e;
        }
        batch.written();
        if (rejection != null) {
            throw rejection;
        }
        return results;
    }

    private void end(List<Entry> written, Ending ending) {
        if (ending == Ending.COMMITTED) {
            written.forEach(entry -> entry.isCommitted = true);
            entries.removeIf(entry -> entry.isCommitted);
        } else {
            written.forEach(entry -> {
                entry.isWritten = false;
                entry.mayBeThere |= ending == Ending.UNKNOWN;
            });
        }
    }

    /** What one flush writes. */
    private final class Batch {
        final List<Entry> entries = new ArrayList<>();
        final List<NewMessage> encoded = new ArrayList<>();

        /** As far as that goes; returns why it went no further. */
        @Nullable
        RuntimeException encode() {
            for (Entry entry : waiting()) {
                try {
                    encoded.add(outbox.encode(entry.toWrite()));
                    entries.add(entry);
                } catch (RuntimeException e) {
                    return e;
                }
            }
            return null;
        }

        void written() {
            for (int i = 0; i < entries.size(); i++) {
                entries.get(i).isWritten = true;
                entries.get(i).writtenAs = encoded.get(i).id();
            }
        }

        void ended(Ending ending) {
            end(entries, ending);
        }
    }
}
