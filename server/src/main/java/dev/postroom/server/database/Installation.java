package dev.postroom.server.database;

import dev.postroom.operations.Operations;
import dev.postroom.outbox.Outbox;
import dev.postroom.server.settings.DatabaseSettings;
import dev.postroom.server.settings.Settings;
import dev.postroom.spi.Store;
import javax.sql.DataSource;

/** The outbox that the settings name, opened the way a command needs it. */
public final class Installation implements AutoCloseable {
    private final Settings settings;
    private final DatabaseSettings database;
    private final DriverDataSource existing;
    private final DriverDataSource toBeMade;

    public Installation(Settings settings) {
        this.settings = settings;
        this.database = settings.database();
        this.existing = new DriverDataSource(database, false);
        this.toBeMade = new DriverDataSource(database, true);
    }

    /** The store for changing the schema: the tables need not exist, and where it is a file neither need that. */
    public Store storeToMigrate() {
        return Store.open(toBeMade, database.names());
    }

    /** The store as it is; the schema is not checked. */
    public Store store() {
        return Store.open(dataSource(), database.names());
    }

    /** The store as it is, over connections from elsewhere. */
    public Store store(DataSource from) {
        return Store.open(from, database.names());
    }

    public DataSource dataSource() {
        return existing;
    }

    /** Operations in somebody's name; fails with what to do when the schema cannot be used. */
    public Operations operations(String actor) {
        Store store = store();
        store.schema().check();
        return Operations.as(actor, store.operations(), store.maintenance());
    }

    /** An outbox with the settings' limits. */
    public Outbox outbox() {
        Outbox.Builder builder = Outbox.configure(dataSource())
                .schema(database.names().schema())
                .tablePrefix(database.names().prefix())
                .limits(settings.limits());
        settings.compressionThreshold().ifPresent(builder::compressionThreshold);
        settings.dedupWindow().ifPresent(builder::dedupWindow);
        return builder.build();
    }

    public Settings settings() {
        return settings;
    }

    public DatabaseSettings database() {
        return database;
    }

    @Override
    public void close() {
        existing.close();
        toBeMade.close();
    }
}
