package dev.postroom.relay;

import dev.postroom.operations.Maintenance;
import dev.postroom.spi.Destinations;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.Owing;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import java.time.Duration;
import java.util.Collection;
import javax.sql.DataSource;

/** The database as a relay uses it. Thread-safe. */
final class RelayDatabase {
    /** Above the statement timeout of a relay's connections, so that a slow statement is the database's to end. */
    private static final Duration SILENCE = Duration.ofSeconds(45);

    private final DataSource dataSource;
    private final TableNames names;
    private final Store store;
    private final Store keeper;
    private final Duration silence;

    RelayDatabase(DataSource dataSource, TableNames names, Store store, Store keeper, Duration silence) {
        this.dataSource = dataSource;
        this.names = names;
        this.store = store;
        this.keeper = keeper;
        this.silence = silence;
    }

    /** Connects; fails with what to do when the schema cannot be used or the database cannot be written to. */
    static RelayDatabase open(DataSource dataSource, DataSource forKeeper, TableNames names, Duration lease) {
        Store store = Store.open(dataSource, names);
        store.schema().check();
        store.checkWritable();
        store.schema().checkLanes();
        Store keeper = forKeeper == dataSource ? store : Store.open(forKeeper, names);
        // A renewal that hangs must fail early enough for another one to come in time.
        return new RelayDatabase(
                dataSource,
                names,
                store.withNetworkTimeout(SILENCE),
                keeper.withNetworkTimeout(lease.dividedBy(3)),
                SILENCE);
    }

    /** How long an answer may take before the connection is given up. */
    Duration silence() {
        return silence;
    }

    KeeperWork keeper() {
        return new KeeperWork(keeper.openLanes());
    }

    /** For a relay whose topics go there. */
    ReaderWork reader(Owing owing) {
        return new ReaderWork(store.openFollowReader(owing));
    }

    SettlerWork settler() {
        return new SettlerWork(store.openSettler());
    }

    Destinations destinations(Collection<String> destinations) {
        try (LaneStore lanes = store.openLanes()) {
            return lanes.destinations(destinations);
        }
    }

    Maintenance maintenance() {
        return store.maintenance();
    }

    String description() {
        return store.description();
    }

    DataSource dataSource() {
        return dataSource;
    }

    TableNames names() {
        return names;
    }
}
