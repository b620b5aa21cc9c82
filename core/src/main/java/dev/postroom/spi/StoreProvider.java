package dev.postroom.spi;

import java.util.Optional;
import javax.sql.DataSource;

/** Finds the store for a database; loaded with {@link java.util.ServiceLoader}, so that core knows no database. */
public interface StoreProvider {

    /** The store, or empty when this provider does not know the database. Connects once to find out. */
    Optional<Store> open(DataSource dataSource, TableNames names);
}
