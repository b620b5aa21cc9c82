package dev.postroom.outbox;

import dev.postroom.DatabaseException;
import dev.postroom.Message;
import dev.postroom.NoTransactionException;
import dev.postroom.Published;
import dev.postroom.TypeNames;
import dev.postroom.spi.NewMessage;
import dev.postroom.spi.PayloadCodec;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.spi.Tracing;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages in the same database transaction as the data they speak of. Thread-safe; make one per outbox and keep
 * it.
 *
 * <pre>{@code
 * Outbox outbox = Outbox.on(dataSource);
 * outbox.publish(connection, Message.to("orders.created").key("42").json(order)); // in your own transaction
 * }</pre>
 */
public final class Outbox {
    private final Store store;
    private final OutboxSettings settings;
    private final MessageEncoder encoder;
    private final OwnTransaction ownTransactions;

    private Outbox(DataSource dataSource, Store store, OutboxSettings settings) {
        this.store = store;
        this.settings = settings;
        this.encoder = new MessageEncoder(settings);
        this.ownTransactions = new OwnTransaction(dataSource, this);
    }

    /** An outbox with default settings: finds out which database this is and checks its schema. */
    public static Outbox on(DataSource dataSource) {
        return configure(dataSource).build();
    }

    /** An outbox with settings of its own. */
    public static Builder configure(DataSource dataSource) {
        return new Builder(dataSource);
    }

    /**
     * Writes the message in the connection's transaction. Commit makes it real, rollback makes it never have been. After the
     * commit, {@link #committed} wakes the relay; without it, the message waits for the next poll.
     *
     * @throws NoTransactionException if the connection is in auto-commit mode
     * @throws dev.postroom.MessageRejectedException if it breaks a limit or cannot be encoded; the transaction is intact
     */
    public Published publish(Connection connection, Message message) {
        return publishAll(connection, List.of(message)).get(0);
    }

    /**
     * Writes the messages in the connection's transaction, in one round trip. All are encoded before any is written.
     */
    public List<Published> publishAll(Connection connection, List<Message> messages) {
        List<Published> results =
                write(connection, messages.stream().map(encoder::encode).toList());
        tells(connection, results, ending -> {});
        return results;
    }

    /** What was written on a connection of the caller's own has committed: wakes the relay at once. */
    public void committed(List<Published> published) {
        for (Published result : published) {
            if (!result.alreadyExisted()) {
                settings.onCommit().accept(new CommitHint(result.lane(), result.seq()));
            }
        }
    }

    /**
     * Writes the message in the transaction that the calling code is in.
     *
     * @throws NoTransactionException if there is none
     */
    public Published publish(Message message) {
        return publishAll(List.of(message)).get(0);
    }

    /** As {@link #publish(Message)}, in one round trip. */
    public List<Published> publishAll(List<Message> messages) {
        List<Published> results = publishAll(ambientConnection(), messages);
        settings.ambient().afterCommit(() -> committed(results));
        return results;
    }

    private Connection ambientConnection() {
        Connection current = settings.ambient().connection();
        if (current == null) {
            throw new NoTransactionException("publish was called with no active transaction, so the message could be"
                    + " sent although your data is rolled back: call it inside a transaction, pass your connection to"
                    + " publish(connection, message), or use inTransaction or publishInOwnTransaction");
        }
        return current;
    }

    /** Writes the message in a transaction of its own, for when there is no data that belongs to it. */
    public Published publishInOwnTransaction(Message message) {
        return callInTransaction(tx -> tx.publish(message));
    }

    /**
     * Runs the work in a transaction on a connection of the data source: commits when it returns, rolls back when it
     * throws. What the work throws comes out as it is, an SQLException as the cause of a {@link DatabaseException}.
     */
    public <X extends Exception> void inTransaction(TransactionAction<X> action) throws X {
        callInTransaction(tx -> {
            action.run(tx);
            return tx;
        });
    }

    /** As {@link #inTransaction}, for work that has a result. */
    public <T extends @Nullable Object, X extends Exception> T callInTransaction(TransactionWork<T, X> work) throws X {
        return ownTransactions.run(work);
    }

    /** An empty stage for messages that are to be written together later. */
    public Staging stage() {
        return new Staging(this);
    }

    /** The store behind this outbox, for the relay and for operations. */
    public Store store() {
        return store;
    }

    NewMessage encode(Message message) {
        return encoder.encode(message);
    }

    List<Published> write(Connection connection, List<NewMessage> messages) {
        try {
            if (store.commitsEachStatement(connection)) {
                throw new NoTransactionException("the connection is in auto-commit mode, so message and data would"
                        + " not be written together: call setAutoCommit(false), or use inTransaction or"
                        + " publishInOwnTransaction");
            }
            return messages.isEmpty() ? List.of() : store.writer().write(connection, messages);
        } catch (SQLException e) {
            throw new DatabaseException(
                    "could not write " + messages.size()
                            + " message(s) to the outbox, your transaction must be rolled back: " + e.getMessage(),
                    e);
        }
    }

    /** Writes in the transaction that the calling code is in; it is told how that ended. */
    List<Published> writeAmbient(List<NewMessage> messages, TransactionEnd end) {
        List<Published> results = write(ambientConnection(), messages);
        settings.ambient().afterCommit(() -> committed(results));
        settings.ambient().atEnd(end);
        return results;
    }

    /** Whether this connection's transaction is one of {@link #inTransaction}; if so, it tells how that ends. */
    boolean tells(Connection connection, List<Published> results, TransactionEnd end) {
        OutboxTransaction own = ownTransactions.on(connection);
        if (own == null) {
            return false;
        }
        own.atEnd(end);
        own.atEnd(ending -> {
            if (ending == TransactionEnd.Ending.COMMITTED) {
                committed(results);
            }
        });
        return true;
    }

    /** Settings of an outbox; {@link #build()} checks them. For one thread. */
    public static final class Builder {
        private final DataSource dataSource;
        private TableNames names = TableNames.DEFAULT;
        private Limits limits = Limits.DEFAULT;
        private int compressionThreshold = 32_768;
        private Duration dedupWindow = Duration.ofDays(7);
        private @Nullable String source;
        private @Nullable PayloadCodec codec;
        private TypeNames types = TypeNames.annotated();
        private AmbientTransaction ambient = AmbientTransaction.NONE;
        private Consumer<CommitHint> onCommit = hint -> {};
        private Tracing tracing = Tracing.NONE;

        private @Nullable Store store;

        private Builder(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        /** A store that somebody else has opened and checks, over the same data source, instead of one of its own. */
        public Builder store(Store opened) {
            store = opened;
            return this;
        }

        /** Tables in another schema (on MariaDB: database) than the connection's own. */
        public Builder schema(@Nullable String schema) {
            names = new TableNames(schema, names.prefix());
            return this;
        }

        /** Tables whose names begin otherwise than with {@code postroom_}: a second outbox in the same schema. */
        public Builder tablePrefix(String prefix) {
            names = new TableNames(names.schema(), prefix);
            return this;
        }

        public Builder limits(Limits newLimits) {
            limits = newLimits;
            return this;
        }

        /** Payloads of at least so many bytes are compressed; {@link Integer#MAX_VALUE} for never. */
        public Builder compressionThreshold(int bytes) {
            compressionThreshold = bytes;
            return this;
        }

        /** How long idempotency keys are remembered at least. */
        public Builder dedupWindow(Duration window) {
            dedupWindow = window;
            return this;
        }

        /** The CloudEvents source of messages that give none. */
        public Builder source(@Nullable String newSource) {
            source = newSource;
            return this;
        }

        /** What turns objects into payloads; else the one found on the class path. */
        public Builder codec(PayloadCodec newCodec) {
            codec = newCodec;
            return this;
        }

        /** What messages with an object of a class are called that give no type themselves; else what annotations say. */
        public Builder types(TypeNames newTypes) {
            types = newTypes;
            return this;
        }

        /** Where to find the transaction that the calling code is in. */
        public Builder ambientTransaction(AmbientTransaction newAmbient) {
            ambient = newAmbient;
            return this;
        }

        /** Told what was written once its transaction has committed; must return at once and never throw. */
        public Builder onCommit(Consumer<CommitHint> listener) {
            onCommit = listener;
            return this;
        }

        /** What carries the caller's trace along in the message's headers; none by default. */
        public Builder tracing(Tracing newTracing) {
            tracing = newTracing;
            return this;
        }

        /** Connects, checks the schema and that the database can be written to, unless it was given a {@link #store}. */
        public Outbox build() {
            PayloadCodec chosen =
                    codec != null ? codec : PayloadCodec.onTheClassPath().orElse(null);
            OutboxSettings settings = new OutboxSettings(
                    limits,
                    compressionThreshold,
                    dedupWindow,
                    source,
                    chosen,
                    types,
                    ambient,
                    onCommit,
                    Tracing.guarded(tracing));
            return new Outbox(dataSource, store == null ? checked() : store, settings);
        }

        private Store checked() {
            Store opened = Store.open(dataSource, names);
            opened.schema().check();
            opened.checkWritable();
            return opened;
        }
    }
}
