package com.example.snippets;

import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/** What the documents take for granted: a database, an order, and functions that do something with it. */
public class SnippetShop {
    public record Order(String id, long cents) {}

    protected final TestDatabase database = H2.freshDatabase();
    protected final DataSource dataSource = database.dataSource();
    protected final Order order = new Order("42", 1_999);
    protected final String messageId = "m-1";
    protected final List<String> done = new CopyOnWriteArrayList<>();

    protected SnippetShop() {
        Store.open(dataSource, TableNames.DEFAULT).schema().migrate();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("create table orders (id varchar(36), cents bigint)");
            statement.execute("create table bills (order_id varchar(36), cents bigint)");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    protected static void saveOrder(Connection connection, Order order) throws SQLException {
        insert(connection, "orders", order);
    }

    protected static void bill(Connection connection, Order order) throws SQLException {
        insert(connection, "bills", order);
    }

    protected static void bill(Connection connection, byte[] payload) throws SQLException {
        insert(connection, "bills", new Order("unknown", payload.length));
    }

    private static void insert(Connection connection, String table, Order order) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into " + table + " values (?, ?)")) {
            insert.setString(1, order.id());
            insert.setLong(2, order.cents());
            insert.executeUpdate();
        }
    }

    protected void ship(Order shipped) {
        done.add("shipped " + shipped.id());
    }

    protected void stop(String key) {
        done.add("stopped " + key);
    }

    protected void acknowledge() {
        done.add("acknowledged");
    }

    /** The first column of what the query finds. */
    protected List<String> select(String query) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        }
        return found;
    }
}
