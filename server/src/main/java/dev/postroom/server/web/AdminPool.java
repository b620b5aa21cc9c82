package dev.postroom.server.web;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import javax.sql.DataSource;

/** A few connections for whoever looks at the page: opening one for every question would take longer than the answer. */
public final class AdminPool implements AutoCloseable {
    private static final int MOST = 6;
    private static final long PATIENCE_MILLIS = 5_000;
    private static final long IDLE_MILLIS = 60_000;

    private final HikariDataSource pool;

    public AdminPool(DataSource source) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("postroom-admin");
        config.setDataSource(source);
        config.setMaximumPoolSize(MOST);
        config.setMinimumIdle(1);
        config.setIdleTimeout(IDLE_MILLIS);
        config.setConnectionTimeout(PATIENCE_MILLIS);
        config.setInitializationFailTimeout(-1);
        this.pool = new HikariDataSource(config);
    }

    public DataSource dataSource() {
        return pool;
    }

    @Override
    public void close() {
        pool.close();
    }
}
