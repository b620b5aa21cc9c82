package dev.postroom.benchmark.chaos;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.RabbitMqBroker;
import dev.postroom.testbed.TcpProxy;
import dev.postroom.testbed.TestDatabase;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;

/** The servers: a PostgreSQL behind a network that can fail, and a RabbitMQ of its own. */
final class Place implements AutoCloseable {
    static final String EXCHANGE = "chaos";

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** Reached directly, whatever happens: for whoever looks on. */
    final TestDatabase database = Postgres.newest().freshDatabase();

    final Store store = Store.open(database.dataSource(), TableNames.DEFAULT);
    final TcpProxy network;
    final RabbitMqBroker broker;
    private final URI address = URI.create(database.url().substring("jdbc:".length()));

    Place() throws SQLException {
        store.schema().migrate();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE shop_order (customer int, number bigint, PRIMARY KEY (customer, number))");
        }
        network = TcpProxy.to(Objects.requireNonNull(address.getHost()), address.getPort());
        broker = RabbitMqBroker.start();
    }

    /** Over the network that can fail. */
    String databaseUrl() {
        return "jdbc:postgresql://127.0.0.1:" + network.port() + address.getPath()
                + "?socketTimeout=10&connectTimeout=2";
    }

    /** As an application has it. */
    static HikariDataSource pool(String url, String username, String password, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(username);
        config.setPassword(password);
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(PATIENCE.toMillis());
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    @Override
    public void close() {
        network.close();
        broker.close();
    }
}
