package com.example.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("R2")
class OrdersTest {
    @TempDir
    Path folder;

    @Test
    void what_was_committed_is_shipped_in_an_h2_file() throws Exception {
        runsOn("jdbc:h2:file:" + folder.resolve("orders"));
    }

    @Test
    void what_was_committed_is_shipped_in_the_postgresql_that_was_given() throws Exception {
        TestDatabase database = Postgres.newest().freshDatabase();
        String separator = database.url().contains("?") ? "&" : "?";
        runsOn(database.url() + separator + "user=" + encoded(database.username()) + "&password="
                + encoded(database.password()));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static void runsOn(String url) throws Exception {
        Orders.main(new String[] {url});
        try (Connection connection = DriverManager.getConnection(url)) {
            assertThat(count(connection, "orders")).isEqualTo(9);
            assertThat(count(connection, "postroom_archive")).isEqualTo(9);
            assertThat(count(connection, "postroom_message")).isZero();
        }
    }

    private static long count(Connection connection, String table) throws Exception {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from " + table)) {
            row.next();
            return row.getLong(1);
        }
    }
}
