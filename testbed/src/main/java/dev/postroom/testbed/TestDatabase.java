package dev.postroom.testbed;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * A database of one test's own, with the three things a pool or a command line wants to know of it.
 *
 * @param url the JDBC URL, without user and password
 * @param username who connects
 * @param password that user's password, possibly empty
 * @param dataSource opens a new connection each time, no pool
 */
public record TestDatabase(String url, String username, String password, DataSource dataSource) {

    /** Opens a new connection; the caller closes it. */
    public Connection connect() throws SQLException {
        return dataSource.getConnection();
    }
}
