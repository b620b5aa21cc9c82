package dev.postroom.server.demo;

import dev.postroom.DatabaseException;
import dev.postroom.operations.Operations;
import dev.postroom.server.database.DriverDataSource;
import dev.postroom.server.settings.DatabaseSettings;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** An H2 database in a folder of its own, open to other processes, and gone when it is closed. */
final class DemoDatabase implements AutoCloseable {
    private final Path folder;
    private final DatabaseSettings settings;
    private final DriverDataSource dataSource;
    private final Store store;

    DemoDatabase() {
        try {
            this.folder = Files.createTempDirectory("postroom-demo");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a folder for the demo's database: " + e.getMessage(), e);
        }
        String url = "jdbc:h2:file:" + folder.resolve("shop") + ";AUTO_SERVER=TRUE";
        this.settings = new DatabaseSettings(url, "sa", null, TableNames.DEFAULT, Duration.ZERO);
        this.dataSource = new DriverDataSource(settings, true);
        this.store = Store.open(dataSource, TableNames.DEFAULT);
        store.schema().migrate();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(Order.TABLE);
        } catch (SQLException e) {
            throw new DatabaseException("cannot make the shop's table: " + e.getMessage(), e);
        }
    }

    /** The same tables over other connections. */
    Store store(DataSource from) {
        return Store.open(from, TableNames.DEFAULT);
    }

    DataSource dataSource() {
        return dataSource;
    }

    String url() {
        return settings.url();
    }

    String description() {
        return store.description();
    }

    Operations operations() {
        return Operations.as("demo", store.operations(), store.maintenance());
    }

    @Override
    public void close() {
        dataSource.close();
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // A file of the demo stays in the system's temporary folder, where it harms nobody.
        }
    }
}
