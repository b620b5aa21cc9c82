package dev.postroom.testkit.simulation.database;

import dev.postroom.Stream;
import dev.postroom.spi.Content;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.Owing;
import dev.postroom.spi.RowKey;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An outbox in memory. Its ports do what the real ones do, each call at one instant; what takes time, fails or gets lost
 * on the way is for the simulation to decide. For one thread.
 */
public final class SimulatedDatabase {
    private final DatabaseShape shape;
    private final DatabaseObserver observer;
    private final DatabaseClock clock;
    private final Transactions transactions = new Transactions();
    private final Journal journal;
    private final LiveTable table;
    private final Map<UUID, Row> archive = new HashMap<>();
    private final SimulatedLanes lanes;
    private final SimulatedSettler settler;
    private final SimulatedOperator operator;
    private final boolean dirtyReads;
    private long lastSeq;
    private long server = 1;
    private long commits;
    private long highestCommitted;

    /** With a clock that is set to this time at first. */
    public SimulatedDatabase(DatabaseShape shape, LongSupplier virtualNanos, DatabaseObserver observer) {
        this.shape = shape;
        this.observer = observer;
        this.clock = new DatabaseClock(virtualNanos);
        this.journal = new Journal(virtualNanos);
        this.table = new LiveTable(this::streamId, journal, observer);
        this.dirtyReads = shape.has(DatabaseDefect.DIRTY_READS);
        this.lanes = new SimulatedLanes(clock, observer);
        this.settler = new SimulatedSettler(this, table, shape.has(DatabaseDefect.NO_FENCE));
        this.operator = new SimulatedOperator(this, table);
    }

    public DatabaseShape shape() {
        return shape;
    }

    public DatabaseClock clock() {
        return clock;
    }

    /** A reader for followers with these routes; where it may choose how much an answer has, it chooses by these numbers from 0 up to 1. */
    public FollowReader followReader(Owing owing, DoubleSupplier random) {
        FollowTransactions late = new FollowTransactions(table, transactions, shape);
        return new SimulatedFollowReader(this, table, late, owing, random);
    }

    /** A row as followers with these routes would read it now. */
    public FollowedMessage asRead(Row row, Owing owing) {
        FollowTransactions late = new FollowTransactions(table, transactions, shape);
        return new SimulatedFollowReader(this, table, late, owing, () -> 1).asRead(row);
    }

    /** The id that followers know a stream by. */
    public long streamId(Stream stream) {
        long mixed = (31L * stream.tenant().hashCode() + Objects.hashCode(stream.key())) * 0x9E3779B97F4A7C15L;
        return Long.remainderUnsigned(mixed ^ (mixed >>> 32), shape.streamIds());
    }

    /** Which server answers: another one after each restart. */
    public long server() {
        return server;
    }

    /** The server ends and is started again, with all that was committed: its snapshots mean nothing any more. */
    public void restartServer() {
        server++;
        transactions.endAll();
    }

    /** Whether a reader with this mark has seen the row, or need not be told of it any more. */
    public boolean hasSeen(FollowReader.@Nullable Mark mark, Row row) {
        return mark instanceof FollowTransactions.FollowMark seen
                && seen.server() == server
                && (shape.personality() == Personality.SNAPSHOTS
                        ? seen.snapshot().sees(row.tx())
                        : row.commit <= seen.commits());
    }

    long commits() {
        return commits;
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

    /** Puts a row back from elsewhere, visible at once, with the number and the transaction that it had there. */
    public RowKey restore(UUID id, Stream stream, Content content, long seq, long tx) {
        RowKey key = new RowKey(laneOf(stream, id), seq, id);
        Row row = new Row(key, stream, content, tx, new Row.Times(clock.now(), null));
        row.commit = ++commits;
        row.committedLate = true;
        highestCommitted = Math.max(highestCommitted, seq);
        table.insert(row);
        observer.committed(row);
        return key;
    }

    /** The highest number drawn so far. */
    public long highestSeq() {
        return lastSeq;
    }

    /** How many writers' transactions are open. */
    public int openTransactions() {
        return transactions.open();
    }

    /** Draws a number that no row will have. */
    public void skipSeq() {
        nextSeq();
    }

    /** The live row with this key. */
    public @Nullable Row find(RowKey key) {
        return table.find(key);
    }

    /** All live rows, in no order that means anything. */
    public Collection<Row> unsorted() {
        return table.rows();
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
        int hash = stream.isOrdered() ? (stream.tenant() + "::" + stream.key()).hashCode() : id.hashCode();
        int mixed = hash * 0x9E3779B9;
        return (mixed >>> 16) % shape.lanesInUse();
    }

    long nextSeq() {
        journal.note(() -> lastSeq--);
        return ++lastSeq;
    }

    void archive(Row row) {
        archive.put(row.key().id(), row);
        journal.note(() -> archive.remove(row.key().id()));
    }

    /** The archived row, or null. */
    @Nullable
    Row archived(UUID id) {
        return archive.get(id);
    }

    /** Puts an archived row back: with its id, a new number, due now, for one destination. */
    void replay(Row archived, String destination) {
        long tx = transactions.begin();
        RowKey key = new RowKey(archived.key().lane(), nextSeq(), archived.key().id());
        Row row = archived.again(key, tx, clock.now(), destination);
        observer.replayed(row);
        transactions.end(tx);
        row.commit = ++commits;
        table.insert(row);
        observer.committed(row);
        highestCommitted = Math.max(highestCommitted, key.seq());
    }

    /** Another server takes over, without what was committed in the latest time: transactions are rolled back, and numbers drawn again. */
    public void failOver(long nanos) {
        server++;
        transactions.endAll();
        journal.undo(nanos);
    }

    long lastSeq() {
        return lastSeq;
    }

    DatabaseObserver observer() {
        return observer;
    }

    void committed(long tx, List<Row> rows) {
        transactions.end(tx);
        commits++;
        for (Row row : rows) {
            row.commit = commits;
            row.committedLate = row.key().seq() <= highestCommitted;
            if (!dirtyReads) {
                table.insert(row);
            }
            observer.committed(row);
        }
        for (Row row : rows) {
            highestCommitted = Math.max(highestCommitted, row.key().seq());
        }
    }

    boolean isRunning(long tx) {
        return transactions.isRunning(tx);
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
