package dev.postroom.relay;

import dev.postroom.operations.RelayReport;
import dev.postroom.outbox.CommitHint;
import dev.postroom.outbox.Limits;
import dev.postroom.outbox.Outbox;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.policy.Route;
import dev.postroom.spi.TableNames;
import dev.postroom.spi.Tracing;
import dev.postroom.spi.Transport;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Delivers messages from the outbox to their destinations, at least once, in order per key, until it is closed. Any number
 * of relays may run against one database; they share the work. Thread-safe.
 *
 * <pre>{@code
 * try (Relay relay = Relay.on(dataSource).deliverTo(transport).start()) {
 *     Outbox outbox = relay.outbox(); // wakes the relay after each commit
 *     …
 * }
 * }</pre>
 *
 * <p>Its threads are daemons: a process that ends without closing its relay loses nothing, but other relays wait for its
 * lease to end before they take over.
 */
public final class Relay implements AutoCloseable {
    private final RelayPlan plan;
    private final RelayThread thread;
    private final Upkeep upkeep;

    Relay(RelayPlan plan, InstantSource wall) {
        this.plan = plan;
        this.thread = new RelayThread(plan, new RelayClock(wall));
        this.upkeep = new Upkeep(
                plan.conduct().name(),
                plan.database().maintenance(),
                plan.conduct().retention(),
                thread::fail);
    }

    /** A relay for the outbox in this database; nothing happens before {@link Builder#start()}. */
    public static Builder on(DataSource dataSource) {
        return new Builder(dataSource);
    }

    Relay started() {
        thread.start();
        upkeep.start();
        return this;
    }

    /** An outbox on the same database and tables that wakes this relay after each commit it sees. */
    public Outbox outbox() {
        return configureOutbox().build();
    }

    /** As {@link #outbox()}, for one with settings of its own. */
    public Outbox.Builder configureOutbox() {
        return Outbox.configure(plan.database().dataSource())
                .schema(plan.database().names().schema())
                .tablePrefix(plan.database().names().prefix())
                .tracing(plan.conduct().tracing())
                .onCommit(this::wake);
    }

    /** Something was committed: look now instead of at the next poll. Returns at once; never needed. */
    public void wake() {
        thread.wake(new CommitHint(0, 0));
    }

    /** This row was committed; for {@link Outbox.Builder#onCommit}. Returns at once; never needed. */
    public void wake(CommitHint hint) {
        thread.wake(hint);
    }

    /**
     * Whether it delivers: it was started, is not closed, and its engine turns. False during the pause after a part of it
     * failed ({@link #lastRestart()} says why), and while a transport or a listener has kept its thread for a whole lease.
     */
    public boolean isRunning() {
        return thread.isRunning();
    }

    /** Its latest failure, which made it begin anew; empty when it has been well for ten minutes. */
    public Optional<RelayReport.Restart> lastRestart() {
        return thread.lastRestart();
    }

    /** What it works on, for people: {@code PostgreSQL 18.1}. */
    public String database() {
        return plan.database().description();
    }

    /** The names of its destinations. */
    public List<String> destinations() {
        return plan.routing().names();
    }

    /**
     * Stops: takes nothing new, waits for what is under way, records it, and gives the lanes back at once. What has no
     * answer when the stop timeout ends is left to whoever takes over after the lease, and may be delivered twice. Then
     * closes the transports. A second call does nothing.
     */
    @Override
    public void close() {
        upkeep.close();
        if (thread.stop()) {
            upkeep.awaitEnd();
            Transports.close(plan.routing().destinations());
        }
    }

    /** Settings of a relay; {@link #start()} checks them. Its transports are closed with the relay. For one thread. */
    public static final class Builder {
        private final DataSource dataSource;
        private final RelaySettings settings = new RelaySettings();

        private Builder(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        /** One more destination, called {@value Destination#DEFAULT_NAME}. The only one gets everything. */
        public Builder deliverTo(Transport transport) {
            return deliverTo(Destination.of(Destination.DEFAULT_NAME, transport));
        }

        /** One more destination. */
        public Builder deliverTo(String name, Transport transport) {
            return deliverTo(Destination.of(name, transport));
        }

        /** One more destination, with settings of its own. */
        public Builder deliverTo(Destination destination) {
            settings.destinations.add(destination);
            return this;
        }

        /** One more route; the first that matches a topic is its route. Needed with several destinations. */
        public Builder route(Route route) {
            settings.routes.add(route);
            return this;
        }

        /** When failed deliveries are tried again, unless their route says otherwise. */
        public Builder retry(RetryPolicy policy) {
            settings.retry = policy;
            return this;
        }

        /** What its threads and its entry in the database begin with; {@code relay} by default. */
        public Builder name(String name) {
            settings.name = name;
            return this;
        }

        /** Tables in another schema (on MariaDB: database) than the connection's own. */
        public Builder schema(@Nullable String schema) {
            settings.names = new TableNames(schema, settings.names.prefix());
            return this;
        }

        /** Tables whose names begin otherwise than with {@code postroom_}. */
        public Builder tablePrefix(String prefix) {
            settings.names = new TableNames(settings.names.schema(), prefix);
            return this;
        }

        /**
         * Where the one connection comes from that keeps the lanes. By default from the same data source; give another
         * when that is a pool which the application may exhaust, because a relay that cannot renew loses its lanes.
         */
        public Builder keeperDataSource(DataSource forKeeper) {
            settings.keeperDataSource = forKeeper;
            return this;
        }

        /** After how long without a sign of life others take over; 10 s by default. */
        public Builder lease(Duration lease) {
            settings.lease = lease;
            return this;
        }

        /**
         * How long a relay must have lived before its routes take over from those of other relays; 30 s by default, or three leases
         * where that is longer, which is also the least. Relays whose routes differ do not deliver side by side: the newest are in
         * force, and the others stand by.
         */
        public Builder routingDelay(Duration delay) {
            settings.routingDelay = delay;
            return this;
        }

        /** Rows per lane and read at most; 500 by default. */
        public Builder batchSize(int rows) {
            settings.batchSize = rows;
            return this;
        }

        /** How soon to look again after something was found; 50 ms by default. */
        public Builder pollMin(Duration interval) {
            settings.pollMin = interval;
            return this;
        }

        /** How soon to look again when nothing was found for long; 1 s by default. */
        public Builder pollMax(Duration interval) {
            settings.pollMax = interval;
            return this;
        }

        /** Messages in memory at most; 8192 by default. */
        public Builder maxInFlight(int messages) {
            settings.maxInFlight = messages;
            return this;
        }

        /** Payload bytes in memory at most, but always one message; 64 MiB by default. */
        public Builder maxInFlightBytes(long bytes) {
            settings.maxInFlightBytes = bytes;
            return this;
        }

        /** What the outbox may write: a row with more payload or headers is never loaded, and is dead at once. */
        public Builder limits(Limits limits) {
            settings.limits = limits;
            return this;
        }

        /** How often a message may have been on its way when the process died; 3 by default. */
        public Builder maxCrashes(int crashes) {
            settings.maxCrashes = crashes;
            return this;
        }

        /** Characters of an error that are kept; 2000 by default. */
        public Builder errorLength(int characters) {
            settings.errorLength = characters;
            return this;
        }

        /** How long delivered messages are kept; 7 days by default. */
        public Builder retention(Duration keep) {
            settings.retention = keep;
            return this;
        }

        /** Delivered messages are not kept at all. */
        public Builder deleteAfterDelivery() {
            settings.retention = null;
            return this;
        }

        /** How long consumers remember which messages they have handled; 30 days by default. */
        public Builder inboxRetention(Duration keep) {
            settings.inboxRetention = keep;
            return this;
        }

        /** How long it can be looked up who changed what; 400 days by default, 30 at least. */
        public Builder auditRetention(Duration keep) {
            settings.auditRetention = keep;
            return this;
        }

        /** How long {@link Relay#close()} waits for what is under way; 20 s by default. */
        public Builder stopTimeout(Duration timeout) {
            settings.stopTimeout = timeout;
            return this;
        }

        /** How often the log gets a line that sums up; 1 min by default. */
        public Builder summaryEvery(Duration interval) {
            settings.summaryInterval = interval;
            return this;
        }

        /** One more that hears of everything that happens; must return at once. */
        public Builder listener(RelayListener listener) {
            settings.listeners.add(listener);
            return this;
        }

        /** What carries traces along; none by default. */
        public Builder tracing(Tracing tracing) {
            settings.tracing = tracing;
            return this;
        }

        /**
         * Checks the settings, connects, checks the schema, and begins.
         *
         * @throws dev.postroom.PostroomException naming the setting and what to do
         */
        public Relay start() {
            return start(InstantSource.system());
        }

        /** With another clock than the machine's, to see what happens when that is set. */
        Relay start(InstantSource wall) {
            return new Relay(settings.plan(dataSource), wall).started();
        }

        /** The same relay without threads, for tests: it works while {@link ManualRelay#drain()} runs. */
        public ManualRelay manual() {
            return new ManualRelay(settings.plan(dataSource));
        }
    }
}
