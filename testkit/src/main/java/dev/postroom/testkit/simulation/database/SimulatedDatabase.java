package dev.postroom.testkit.simulation.database;

import dev.postroom.Stream;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageReader;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.RowKey;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An outbox in memory. Its ports do what the real ones do, each call at one instant; what takes time, fails or gets lost
 * on the way is for the simulation to decide. For one thread.
 */
public final class SimulatedDatabase {
    private final Personality personality;
    private final int lanesInUse;
    private final DatabaseObserver observer;
    private final DatabaseClock clock;
    private final Transactions transactions = new Transactions();
    private final LiveTable table = new LiveTable();
    private final SimulatedLanes lanes;
    private final SimulatedReader reader;
    private final SimulatedSettler settler;
    private final SimulatedOperator operator;
    private final boolean dirtyReads;
    private long lastSeq;

    /**
     * @param lanesInUse how many of the lanes streams are hashed to: few make streams share one
     * @param virtualNanos the time that the database's clock is set to at first
     */
    public SimulatedDatabase(
            Personality personality,
            int lanesInUse,
            Set<DatabaseDefect> defects,
            LongSupplier virtualNanos,
            DatabaseObserver observer) {
        this.personality = personality;
        this.lanesInUse = lanesInUse;
        this.observer = observer;
        this.clock = new DatabaseClock(virtualNanos);
        this.dirtyReads = defects.contains(DatabaseDefect.DIRTY_READS);
        this.lanes = new SimulatedLanes(clock, observer);
        this.reader =
                new SimulatedReader(this, table, readingRule(defects), !defects.contains(DatabaseDefect.NO_HOLDERS));
        this.settler = new SimulatedSettler(this, table, defects.contains(DatabaseDefect.NO_FENCE));
        this.operator = new SimulatedOperator(this, table);
    }

    private ReadingRule readingRule(Set<DatabaseDefect> defects) {
        boolean lateRows = !defects.contains(DatabaseDefect.NO_LATE_ROWS);
        return personality == Personality.SNAPSHOTS
                ? new SnapshotRule(table, transactions, lateRows)
                : new PassedRule(table, lateRows);
    }

    public Personality personality() {
        return personality;
    }

    public DatabaseClock clock() {
        return clock;
    }

    public MessageReader reader() {
        return reader;
    }

    public MessageSettler settler() {
        return settler;
    }

    public LaneStore lanes() {
        return lanes;
    }

    public SimulatedOperator operator() {
        return operator;
    }

    /** Begins a writer's transaction, which gets its id now. */
    public WriterTransaction begin() {
        return new WriterTransaction(this, transactions.begin());
    }

    /** How many writers' transactions are open. */
    public int openTransactions() {
        return transactions.open();
    }

    /** Draws a number that no row will have. */
    public void skipSeq() {
        lastSeq++;
    }

    /** The live row of this id. */
    public @Nullable Row find(UUID id) {
        return table.find(id);
    }

    /** All live rows by seq. */
    public List<Row> rows() {
        return table.rows().stream()
                .sorted(Comparator.comparing(row -> Place.of(row.key())))
                .toList();
    }

    /** The rows that hold a stream, by seq. */
    public List<Row> holders(Stream stream) {
        return List.copyOf(table.holders(stream).values());
    }

    /** Who owns a lane by the database, or null. */
    public @Nullable String owner(int lane) {
        return lanes.owner(lane);
    }

    /** A stable hash of the stream, or of the id where there is no key. */
    public int laneOf(Stream stream, UUID id) {
        int hash = stream.isOrdered()
                ? (stream.tenant() + ':' + stream.topic() + ':' + stream.key()).hashCode()
                : id.hashCode();
        int mixed = hash * 0x9E3779B9;
        return (mixed >>> 16) % lanesInUse;
    }

    long nextSeq() {
        return ++lastSeq;
    }

    long lastSeq() {
        return lastSeq;
    }

    DatabaseObserver observer() {
        return observer;
    }

    void committed(long tx, List<Row> rows) {
        transactions.end(tx);
        for (Row row : rows) {
            if (!dirtyReads) {
                table.insert(row);
            }
            observer.committed(row);
        }
    }

    void inserted(Row row) {
        if (dirtyReads) {
            table.insert(row);
        }
    }

    void undone(Row row) {
        if (dirtyReads && table.find(row.key()) != null) {
            table.remove(row);
        }
    }

    boolean owns(String owner, RowKey key, long epoch) {
        return lanes.isHeld(key.lane(), owner, epoch);
    }

    boolean isOthers(int lane, String relay) {
        return lanes.isOthers(lane, relay);
    }

    void release(String owner, List<LaneStore.Lease> leases) {
        lanes.release(owner, leases);
    }
}
