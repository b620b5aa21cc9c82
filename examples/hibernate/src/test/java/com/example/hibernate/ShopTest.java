package com.example.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("R2")
class ShopTest {
    @TempDir
    Path folder;

    @Test
    void what_happened_to_the_order_is_delivered_in_that_order() throws Exception {
        String url = "jdbc:h2:file:" + folder.resolve("shop");
        Shop.main(new String[] {url});
        List<String> types = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select type from postroom_archive order by seq")) {
            while (rows.next()) {
                types.add(rows.getString(1));
            }
        }
        assertThat(types).containsExactly("Placed", "Cancelled");
    }
}
