package dev.postroom.spi;

import dev.postroom.PostroomException;
import dev.postroom.operations.Maintenance;
import dev.postroom.operations.OperationsStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.ServiceLoader;
import javax.sql.DataSource;

/** One outbox in one database: a set of tables with a schema and a prefix. Thread-safe. */
public interface Store {

    /**
     * Finds the store for a database among the providers on the class path; connects once. The schema is not checked: a
     * database that is to be migrated has none yet.
     */
    static Store open(DataSource dataSource, TableNames names) {
        for (StoreProvider provider : ServiceLoader.load(StoreProvider.class, Store.class.getClassLoader())) {
            Optional<Store> store = provider.open(dataSource, names);
            if (store.isPresent()) {
                return store.get();
            }
        }
        throw new PostroomException("no store for this database is on the class path: add postroom-jdbc");
    }

    /** What the database is, for people: {@code PostgreSQL 18.1}. */
    String description();

    MessageWriter writer();

    InboxStore inbox();

    Schema schema();

    OperationsStore operations();

    /** Operations whose reads are ended by the database when they take longer than this. */
    default OperationsStore operations(Duration longestRead) {
        return operations();
    }

    Maintenance maintenance();

    /**
     * This store, with readers, settlers and lane stores that give a connection up when an answer takes longer than this:
     * a network that swallows everything is otherwise noticed after minutes, or never.
     */
    Store withNetworkTimeout(Duration timeout);

    /** A reader for a relay whose topics go there, with a connection of its own, opened on first use. */
    FollowReader openFollowReader(Owing owing);

    /** A settler with a connection of its own, opened on first use. */
    MessageSettler openSettler();

    /** A lane store with a connection of its own, opened on first use. */
    LaneStore openLanes();

    /**
     * Makes a connection of the store's data source ready for a transaction that Postroom begins and ends by itself: behind a
     * pooler nothing of it may stay in the server's session, which is somebody else's afterwards. {@link #handBack} undoes it.
     */
    default void takeOver(Connection connection) throws SQLException {}

    /** Undoes {@link #takeOver}, before the connection goes back to its pool. */
    default void handBack(Connection connection) throws SQLException {}

    /** Whether every statement on a caller's connection is a transaction, so that nothing is written together with it. */
    default boolean commitsEachStatement(Connection connection) throws SQLException {
        return connection.getAutoCommit();
    }

    /**
     * Fails when nothing of a transaction will be committed, though committing it fails in no way. PostgreSQL commits nothing after a
     * statement has failed, whoever caught that, and its driver does not always say so.
     */
    default void requireIntact(Connection connection) throws SQLException {}

    /** Fails when this database cannot be written to: a read-only replica, missing rights. */
    void checkWritable();
}
