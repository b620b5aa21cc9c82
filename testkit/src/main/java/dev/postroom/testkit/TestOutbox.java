package dev.postroom.testkit;

import dev.postroom.operations.Operations;
import dev.postroom.outbox.Outbox;
import dev.postroom.relay.Destination;
import dev.postroom.relay.ManualRelay;
import dev.postroom.relay.Relay;
import dev.postroom.spi.TableNames;
import dev.postroom.spi.Transport;
import dev.postroom.testkit.internal.MemoryDataSource;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * An outbox with everything a test wants around it: a database in memory, a relay that works when it is told to, a clock that
 * can be set forward, and destinations that record what they get and fail on demand. For one thread.
 *
 * <pre>{@code
 * try (TestOutbox test = TestOutbox.inMemory()) {
 *     test.outbox().publishInOwnTransaction(Message.to("orders.created").key("42").json(order));
 *     test.drain();
 *     assertThat(test.transport()).delivered("orders.created").withKey("42");
 * }
 * }</pre>
 */
public final class TestOutbox implements AutoCloseable {
    /** A relay looks again from the beginning at what is due after so long; bringing due times forward needs that. */
    private static final Duration LOOKS_AGAIN = Duration.ofSeconds(10);

    private final DataSource dataSource;
    private final TestTables tables;
    private final ManualClock clock;
    private final Outbox outbox;
    private final TestDestinations destinations;
    private final Supplier<ManualRelay> relays;
    private final Runnable onClose;
    private @Nullable ManualRelay relay;
    private boolean closed;

    private TestOutbox(Builder from, DataSource dataSource, ManualClock clock, Runnable onClose) {
        this.dataSource = dataSource;
        this.tables = new TestTables(dataSource, from.names);
        this.clock = clock;
        this.onClose = onClose;
        this.destinations = from.destinations;
        this.outbox = from.outbox != null ? from.outbox : from.newOutbox(dataSource);
        this.relays = () -> from.newRelay(dataSource);
        clock.onAdvance(this::timePasses);
    }

    /** With a database of its own and one destination. */
    public static TestOutbox inMemory() {
        return configure().build();
    }

    /** With settings of its own. */
    public static Builder configure() {
        return new Builder();
    }

    /** A clock may outlive this. */
    private void timePasses(Duration by) {
        if (closed) {
            return;
        }
        boolean clockIsTheDatabases = dataSource instanceof MemoryDataSource;
        if (!clockIsTheDatabases) {
            tables.bringForward(by);
        }
        if (relay != null) {
            relay.advance(clockIsTheDatabases ? by : by.plus(LOOKS_AGAIN));
        }
    }

    public Outbox outbox() {
        return outbox;
    }

    /** The relay; a new one after {@link #reset()}. */
    public ManualRelay relay() {
        ManualRelay current = relay;
        if (current == null) {
            current = relays.get();
            relay = current;
        }
        return current;
    }

    /** Delivers everything that is due now, on this thread; what failed and is to be tried later stays. */
    public void drain() {
        relay().drain();
    }

    public ManualClock clock() {
        return clock;
    }

    public DataSource dataSource() {
        return dataSource;
    }

    /** What an operator can see and do. */
    public Operations operations() {
        return Operations.as("test", outbox.store().operations(), outbox.store().maintenance());
    }

    /** What the only destination got. */
    public RecordingTransport transport() {
        return destinations.transport(destinations.onlyName());
    }

    /** What this destination got. */
    public RecordingTransport transport(String destination) {
        return destinations.transport(destination);
    }

    /** What goes wrong at the only destination. */
    public FaultyTransport faults() {
        return destinations.faults(destinations.onlyName());
    }

    /** What goes wrong at this destination. */
    public FaultyTransport faults(String destination) {
        return destinations.faults(destination);
    }

    /** Empties the outbox and the inbox, forgets deliveries and faults. The clock stays where it is. */
    public void reset() {
        closeRelay();
        destinations.reset();
        tables.empty();
    }

    private void closeRelay() {
        if (relay != null) {
            relay.close();
            relay = null;
        }
    }

    /** Closes the relay, and removes the database if it was made here. */
    @Override
    public void close() {
        closed = true;
        closeRelay();
        destinations.close();
        onClose.run();
    }

    /** What a test's outbox is made of. For one thread. */
    public static final class Builder {
        private final TestDestinations destinations = new TestDestinations();
        private TableNames names = TableNames.DEFAULT;
        private UnaryOperator<Outbox.Builder> outboxSettings = UnaryOperator.identity();
        private UnaryOperator<Relay.Builder> relaySettings = UnaryOperator.identity();
        private @Nullable DataSource dataSource;
        private @Nullable ManualClock clock;
        private @Nullable Outbox outbox;
        private @Nullable Function<Map<String, Transport>, ManualRelay> relays;

        private Builder() {}

        /**
         * In a database of yours, which has the tables already. Its clock cannot be set: when {@link ManualClock#advance}
         * is called, whatever waits in it becomes due so much earlier instead.
         */
        public Builder in(DataSource yours) {
            dataSource = yours;
            return this;
        }

        /** In tables of this schema and prefix. */
        public Builder tables(TableNames tableNames) {
            names = tableNames;
            return this;
        }

        /** With this clock; else one that stands still, or runs when the database is yours. */
        public Builder clock(ManualClock manualClock) {
            clock = manualClock;
            return this;
        }

        /** One more destination in memory. Without any, there is one called {@value Destination#DEFAULT_NAME}. */
        public Builder deliverTo(String name) {
            destinations.add(name, RecordingTransport.create());
            return this;
        }

        /** One more destination; its deliveries go to this transport, handlers for example. */
        public Builder deliverTo(String name, Transport transport) {
            destinations.add(name, RecordingTransport.around(transport));
            return this;
        }

        /** Settings of the outbox: limits, codec, types. */
        public Builder outbox(UnaryOperator<Outbox.Builder> settings) {
            outboxSettings = settings;
            return this;
        }

        /** Settings of the relay: routes, retries. Its destinations are those of this builder. */
        public Builder relay(UnaryOperator<Relay.Builder> settings) {
            relaySettings = settings;
            return this;
        }

        /** This outbox instead of a new one. */
        public Builder existing(Outbox yours) {
            outbox = yours;
            return this;
        }

        /** Relays made so, to these destinations by name, instead of those that {@link #relay} describes. */
        public Builder relays(Function<Map<String, Transport>, ManualRelay> maker) {
            relays = maker;
            return this;
        }

        /** Makes the database, unless it is given, and checks the tables. */
        public TestOutbox build() {
            if (destinations.isEmpty()) {
                deliverTo(Destination.DEFAULT_NAME);
            }
            if (dataSource != null) {
                return new TestOutbox(this, dataSource, clock == null ? ManualClock.running() : clock, () -> {});
            }
            InMemoryDatabase database = InMemoryDatabase.empty(clock == null ? ManualClock.standingStill() : clock);
            database.createTables(names);
            return new TestOutbox(this, database.dataSource(), database.clock(), database::close);
        }

        private Outbox newOutbox(DataSource in) {
            Outbox.Builder builder = Outbox.configure(in).schema(names.schema()).tablePrefix(names.prefix());
            return outboxSettings.apply(builder).build();
        }

        private ManualRelay newRelay(DataSource in) {
            if (relays != null) {
                return relays.apply(destinations.lent());
            }
            Relay.Builder builder = Relay.on(in).schema(names.schema()).tablePrefix(names.prefix());
            destinations.lent().forEach(builder::deliverTo);
            return relaySettings.apply(builder).manual();
        }
    }
}
