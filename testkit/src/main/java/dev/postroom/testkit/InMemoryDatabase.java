package dev.postroom.testkit;

import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testkit.internal.MemoryDataSource;
import javax.sql.DataSource;

/**
 * A database in memory with an outbox's tables, that nobody else uses: H2, with the same store as an H2 in production. Its
 * clock is the test's: {@code CURRENT_TIMESTAMP} is what the {@link ManualClock} says. Needs {@code com.h2database:h2} and
 * {@code postroom-jdbc} on the class path. Thread-safe.
 *
 * <pre>{@code
 * try (InMemoryDatabase database = InMemoryDatabase.create()) {
 *     Outbox outbox = Outbox.on(database.dataSource());
 * }
 * }</pre>
 */
public final class InMemoryDatabase implements AutoCloseable {
    private final MemoryDataSource dataSource;
    private final ManualClock clock;

    private InMemoryDatabase(MemoryDataSource dataSource, ManualClock clock) {
        this.dataSource = dataSource;
        this.clock = clock;
    }

    /** With a clock that stands still until it is set forward. */
    public static InMemoryDatabase create() {
        return create(ManualClock.standingStill());
    }

    /** With this clock. */
    public static InMemoryDatabase create(ManualClock clock) {
        InMemoryDatabase database = empty(clock);
        database.createTables(TableNames.DEFAULT);
        return database;
    }

    /** Without any tables. */
    public static InMemoryDatabase empty(ManualClock clock) {
        return new InMemoryDatabase(MemoryDataSource.create(clock), clock);
    }

    /** One more outbox in it. */
    public void createTables(TableNames names) {
        Store.open(dataSource, names).schema().migrate();
    }

    /** Opens a new connection each time; put your own tables in the database, too. */
    public DataSource dataSource() {
        return dataSource;
    }

    public ManualClock clock() {
        return clock;
    }

    /** Removes it and all that is in it. */
    @Override
    public void close() {
        dataSource.close();
    }
}
