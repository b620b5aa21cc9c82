package dev.postroom.jdbc;

import dev.postroom.DatabaseException;
import dev.postroom.PostroomException;
import dev.postroom.jdbc.internal.SqlNames;
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
            int major = database.getDatabaseMajorVersion();
            SqlNames sqlNames = new SqlNames(names);
            return switch (product) {
                case "PostgreSQL" -> {
                    requireVersion(description, major >= 14, "PostgreSQL 14");
                    yield Optional.of(new PostgresStore(dataSource, sqlNames, description));
                }
                default ->
                    throw new PostroomException("Postroom has no store for " + description
                            + ": use PostgreSQL 14, MariaDB 10.6 or H2 2, or newer");
            };
        } catch (SQLException e) {
            throw new DatabaseException(
                    "cannot connect to the database: " + e.getMessage()
                            + ". Check that it runs, postroom.database.url, username and password",
                    e);
        }
    }

    private static void requireVersion(String description, boolean supported, String oldest) {
        if (!supported) {
            throw new PostroomException(
                    "Postroom needs " + oldest + " or newer, this is " + description + ": upgrade the database");
        }
    }
}
