package dev.postroom.testbed;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates databases with names of their own, and drops them again where the server outlives the tests. */
final class FreshDatabases {

    private static final Logger LOG = LoggerFactory.getLogger(FreshDatabases.class);

    private final TestDatabase administration;
    private final List<String> created = new CopyOnWriteArrayList<>();

    FreshDatabases(TestDatabase administration, boolean serverOutlivesTests) {
        this.administration = administration;
        if (serverOutlivesTests) {
            Runtime.getRuntime().addShutdownHook(new Thread(this::dropAll, "testbed-drop-databases"));
        }
    }

    String create() {
        String name = "test_" + UUID.randomUUID().toString().replace("-", "").substring(0, 16);
        try {
            execute("create database " + name);
        } catch (SQLException e) {
            throw new TestbedException(
                    "cannot create a database on " + administration.url() + " as " + administration.username()
                            + ": the server must run, and the user be allowed to create databases",
                    e);
        }
        created.add(name);
        return name;
    }

    private void dropAll() {
        for (String name : created) {
            try {
                execute("drop database " + name);
            } catch (SQLException e) {
                LOG.warn("database {} stays on the server: {}", name, e.getMessage());
            }
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = administration.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
