package dev.postroom.jdbc.internal;

import dev.postroom.spi.TableNames;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Statement;
import javax.sql.DataSource;

/** Makes the tables from a database's scripts, for tests below the store. */
public final class ScriptRun {
    private ScriptRun() {}

    public static void run(DataSource dataSource, String folder, TableNames names) throws Exception {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String script : Migrations.SCRIPTS) {
                String path = "/dev/postroom/jdbc/" + folder + "/" + script;
                try (InputStream in = Migrations.class.getResourceAsStream(path)) {
                    String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                    for (String sql : Migrations.statements(new SqlNames(names).inMigration(text))) {
                        statement.execute(sql);
                    }
                }
            }
        }
    }
}
