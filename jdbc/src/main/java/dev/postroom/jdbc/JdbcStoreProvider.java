package dev.postroom.jdbc;

import dev.postroom.DatabaseException;
import dev.postroom.PostroomException;
import dev.postroom.jdbc.internal.PostgresPooler;
import dev.postroom.jdbc.internal.SqlNames;
import dev.postroom.jdbc.internal.h2.H2Store;
import dev.postroom.jdbc.internal.mariadb.MariaDbStore;
import dev.postroom.jdbc.internal.postgresql.PostgresStore;
import dev.postroom.spi.Store;
import dev.postroom.spi.StoreProvider;
import dev.postroom.spi.TableNames;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/** Asks the database what it is and gives the store for it. */
public final class JdbcStoreProvider implements StoreProvider {

    @Override
    public Optional<Store> open(DataSource dataSource, TableNames names) {
        try (Connection connection = dataSource.getConnection()) {
            DatabaseMetaData database = connection.getMetaData();
            String product = database.getDatabaseProductName();
            String description = product + " " + database.getDatabaseProductVersion();
            SqlNames sqlNames = new SqlNames(names);
            return switch (product) {
                case "PostgreSQL" -> {
                    requireVersion(description, atLeast(database, 14, 0), "PostgreSQL 14");
                    yield Optional.of(
                            new PostgresStore(dataSource, sqlNames, description, PostgresPooler.before(connection)));
                }
                case "MariaDB" -> {
                    requireVersion(description, atLeast(database, 10, 6), "MariaDB 10.6");
                    yield Optional.of(new MariaDbStore(dataSource, sqlNames, description));
                }
                case "H2" -> {
                    requireVersion(description, atLeast(database, 2, 2), "H2 2.2");
                    yield Optional.of(new H2Store(dataSource, sqlNames, description));
                }
                // MariaDB's statements do not work there: no INSERT … RETURNING, no collation utf8mb4_nopad_bin.
                default ->
                    throw new PostroomException("Postroom has no store for " + description
                            + ": use PostgreSQL 14, MariaDB 10.6 or H2 2.2, or newer");
            };
        } catch (SQLException e) {
            throw DatabaseException.noConnection("cannot connect to the database", e);
        }
    }

    private static boolean atLeast(DatabaseMetaData database, int major, int minor) throws SQLException {
        int found = database.getDatabaseMajorVersion();
        return found > major || (found == major && database.getDatabaseMinorVersion() >= minor);
    }

    private static void requireVersion(String description, boolean supported, String oldest) {
        if (!supported) {
            throw new PostroomException(
                    "Postroom needs " + oldest + " or newer, this is " + description + ": upgrade the database");
        }
    }
}
