package dev.postroom.spring.boot;

import dev.postroom.DatabaseException;
import dev.postroom.SchemaException;
import dev.postroom.spi.Schema;
import dev.postroom.spi.Store;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data source of the outbox, whose tables are made or checked before anybody uses it: when the application starts, or
 * when the database answers for the first time, if it does not answer then. Thread-safe.
 */
final class PreparedDatabase {
    private static final Logger LOG = LoggerFactory.getLogger(PreparedDatabase.class);

    /** Enough for a database that is there; whoever holds a connection that is needed for it waits no longer. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final ReentrantLock preparing = new ReentrantLock();
    private final DataSource dataSource;
    private final PostroomProperties.DatabaseProperties settings;
    private volatile @Nullable Store prepared;

    private PreparedDatabase(DataSource dataSource, PostroomProperties.DatabaseProperties settings) {
        this.dataSource = dataSource;
        this.settings = settings;
    }

    /** Fails when the tables cannot be used; that nobody answers is no reason for an application not to start. */
    static PreparedDatabase prepare(DataSource dataSource, PostroomProperties.DatabaseProperties settings) {
        PreparedDatabase database = new PreparedDatabase(dataSource, settings);
        try {
            database.prepared();
        } catch (DatabaseException e) {
            if (!e.isUnreachable()) {
                throw e;
            }
            LOG.warn(
                    "OUTBOX_DATABASE_UNREACHABLE the application starts without its outbox, which works when the"
                            + " database answers: {}",
                    e.getMessage());
        }
        return database;
    }

    /**
     * With tables that can be used; connects when it has not done so yet.
     *
     * @throws DatabaseException also when another thread has been at it for a while: it needs a connection, and those who
     *     publish meanwhile hold one each, which they must give back when these are all that the pool has
     */
    Store prepared() {
        Store known = prepared;
        if (known != null) {
            return known;
        }
        if (!mayPrepare()) {
            throw new DatabaseException(
                    "another thread is making the outbox ready, whose database has not answered before: try again",
                    new SQLTransientConnectionException("not ready after " + PATIENCE));
        }
        try {
            known = prepared;
            if (known == null) {
                known = open();
                prepared = known;
            }
            return known;
        } finally {
            preparing.unlock();
        }
    }

    private boolean mayPrepare() {
        try {
            return preparing.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Store open() {
        Store store = Store.open(dataSource, settings.names());
        Schema schema = store.schema();
        if (settings.migrate()) {
            schema.migrate();
        } else {
            check(schema);
        }
        return store;
    }

    boolean isPrepared() {
        return prepared != null;
    }

    /** At once, whether or not the database answers. */
    Store store() {
        Store known = prepared;
        return known == null ? OnDemand.of(Store.class, this::prepared) : known;
    }

    DataSource dataSource() {
        return dataSource;
    }

    private static void check(Schema schema) {
        try {
            schema.check();
        } catch (SchemaException e) {
            throw new SchemaException(
                    e.getMessage() + ". Or let this application do it: postroom.database.migrate=true", e);
        }
    }
}
