package dev.postroom.inbox;

import dev.postroom.DatabaseException;
import dev.postroom.NoTransactionException;
import dev.postroom.PostroomException;
import dev.postroom.operations.Maintenance;
import dev.postroom.spi.InboxStore;
import dev.postroom.spi.OwnConnection;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.spi.Tracing;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Gives each message one effect per consumer, however often it is delivered. Thread-safe; make one and keep it.
 *
 * <pre>{@code
 * Inbox inbox = Inbox.on(dataSource);
 * inbox.handleOnce("billing", messageId, tx -> bill(tx.connection(), order));
 * }</pre>
 */
public final class Inbox {
    private static final int PURGED_AT_ONCE = 1_000;

    private final Store store;
    private final InboxStore records;
    private final Maintenance maintenance;
    private final HandlingOnce handling;
    private final Tracing tracing;

    private Inbox(InboxTransactions transactions, Store store, Tracing tracing) {
        this.tracing = tracing;
        this.store = store;
        this.records = store.inbox();
        this.maintenance = store.maintenance();
        this.handling = new HandlingOnce(transactions, store);
    }

    /** An inbox in the tables of the default names: finds out which database this is and checks its schema. */
    public static Inbox on(DataSource dataSource) {
        return configure(dataSource).build();
    }

    /** An inbox with settings of its own. */
    public static Builder configure(DataSource dataSource) {
        return new Builder(dataSource);
    }

    /**
     * Calls the handler, unless this consumer has handled the message before. Its writes and the record of it commit
     * together, in a transaction of their own or of the {@link Builder#transactions application's framework}; when it throws, both are rolled back, and what it threw comes out as it is (an SQLException as the cause of a
     * {@link DatabaseException}). If the message is being handled by another thread or process at this moment, waits for the
     * outcome.
     *
     * <p>When a {@link DatabaseException} comes out, the transaction may have committed nevertheless, its answer lost: call
     * again with the same id, and it will turn out to be done or not.
     *
     * @param consumer whose message it is; each consumer handles a message once
     * @param messageId what the sender keeps when it sends a message again
     * @throws dev.postroom.PostroomException when a name or id is empty, too long or has control characters
     */
    public <X extends Exception> Handling handleOnce(String consumer, String messageId, InboxAction<X> handler)
            throws X {
        return handling.handle(new InboxKey(consumer, messageId), handler);
    }

    /**
     * The same for a transaction of the caller's own: records the message there, and tells whether it is new. Call it
     * <em>before</em> the handler's work, and skip the work when it returns false. A message that was handled before never
     * breaks the transaction.
     *
     * @throws NoTransactionException if the connection is in auto-commit mode
     * @throws DatabaseException when the transaction must be rolled back; if it {@link DatabaseException#isRetryable() is
     *     retryable}, it may be run again from its beginning
     */
    public boolean take(Connection connection, String consumer, String messageId) {
        InboxKey key = new InboxKey(consumer, messageId);
        try {
            if (store.commitsEachStatement(connection)) {
                throw new NoTransactionException("the connection is in auto-commit mode, so the message would be"
                        + " recorded as handled although the handler's work may fail: call setAutoCommit(false), or"
                        + " use handleOnce");
            }
            return records.record(connection, key.consumer(), key.messageId());
        } catch (SQLException e) {
            throw new DatabaseException(
                    "could not record a message in the inbox, your transaction must be rolled back: " + e.getMessage(),
                    e);
        }
    }

    /**
     * Forgets what was handled longer ago than this, in small steps, and says how many records that were. A message that
     * is delivered again after that is handled again. A relay on the same tables does this by itself.
     */
    public long purge(Duration olderThan) {
        if (olderThan.isZero() || olderThan.isNegative()) {
            throw new PostroomException("only what is older than some time can be forgotten (was " + olderThan
                    + "): give how long messages may come again, such as 30 days");
        }
        long purged = 0;
        long step;
        do {
            step = maintenance.purgeInbox(olderThan, PURGED_AT_ONCE);
            purged += step;
        } while (step == PURGED_AT_ONCE);
        return purged;
    }

    Tracing tracing() {
        return tracing;
    }

    /** Settings of an inbox; {@link #build()} checks them. For one thread. */
    public static final class Builder {
        private final DataSource dataSource;
        private TableNames names = TableNames.DEFAULT;
        private Tracing tracing = Tracing.NONE;
        private @Nullable InboxTransactions transactions;

        private Builder(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        /** Tables in another schema (on MariaDB: database) than the connection's own. */
        public Builder schema(@Nullable String schema) {
            names = new TableNames(schema, names.prefix());
            return this;
        }

        /** Tables whose names begin otherwise than with {@code postroom_}. */
        public Builder tablePrefix(String prefix) {
            names = new TableNames(names.schema(), prefix);
            return this;
        }

        /** What begins and ends the transactions of handlers; else the inbox does, on connections of the data source. */
        public Builder transactions(InboxTransactions newTransactions) {
            transactions = newTransactions;
            return this;
        }

        /** What goes on with the traces that messages bring to its consumers; none by default. */
        public Builder tracing(Tracing newTracing) {
            tracing = newTracing;
            return this;
        }

        /** Connects, checks the schema and that the inbox can be written to. */
        public Inbox build() {
            Store store = Store.open(dataSource, names);
            store.schema().check();
            InboxTransactions chosen = transactions == null ? new OwnTransactions(dataSource, store) : transactions;
            checkWritable(store);
            return new Inbox(chosen, store, Tracing.guarded(tracing));
        }

        /** Writes a record and takes it back: that needs exactly what handling will need, and works on no replica. */
        private void checkWritable(Store store) {
            try (OwnConnection own = OwnConnection.begin(dataSource, store)) {
                store.inbox().record(own.connection(), "postroom", "check " + UUID.randomUUID());
            } catch (SQLException e) {
                throw new DatabaseException(
                        "cannot write to the inbox: " + e.getMessage() + ". Check that this is no read-only replica and"
                                + " that this user has the rights that 'migrate --grants consumer' prints",
                        e);
            }
        }
    }
}
