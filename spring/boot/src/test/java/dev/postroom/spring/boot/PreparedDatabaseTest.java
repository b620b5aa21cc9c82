package dev.postroom.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postroom.DatabaseException;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** An outbox whose database comes when the application is already in use. */
@Tag("R63")
class PreparedDatabaseTest {
    private static final int POOL = 2;
    private static final Duration POOL_TIMEOUT = Duration.ofSeconds(30);

    /** Refuses connections until it is here. */
    private static final class LateDatabase extends DelegatingDataSource {
        private volatile boolean here;

        private LateDatabase(DataSource database) {
            super(database);
        }

        @Override
        public Connection getConnection() throws SQLException {
            if (!here) {
                throw new SQLNonTransientConnectionException("connection refused", "08001");
            }
            return super.getConnection();
        }
    }

    private static HikariDataSource pool(DataSource database) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database);
        config.setMaximumPoolSize(POOL);
        config.setConnectionTimeout(POOL_TIMEOUT.toMillis());
        return new HikariDataSource(config);
    }

    private static PostroomProperties.DatabaseProperties settings() {
        return new Binder(new MapConfigurationPropertySource())
                .bindOrCreate("postroom", PostroomProperties.class)
                .database();
    }

    @Test
    void is_ready_although_those_who_publish_hold_the_whole_pool() throws Exception {
        DataSource migrated = H2.freshDatabase().dataSource();
        Store.open(migrated, TableNames.DEFAULT).schema().migrate();
        try (HikariDataSource pool = pool(migrated)) {
            LateDatabase late = new LateDatabase(pool);
            PreparedDatabase database = PreparedDatabase.prepare(late, settings());
            assertThat(database.isPrepared()).isFalse();
            late.here = true;
            CyclicBarrier all = new CyclicBarrier(POOL);
            // Threads of its own: the common pool of a machine with two cores has one, from JDK 25 on.
            ExecutorService threads = Executors.newFixedThreadPool(POOL);
            Future<Boolean> one = threads.submit(() -> isReadyFor(database, late, all));
            Future<Boolean> other = threads.submit(() -> isReadyFor(database, late, all));
            threads.shutdown();
            // Somebody has to give its connection back, or both wait until the pool gives up.
            assertThat(one.get(20, TimeUnit.SECONDS) ^ other.get(20, TimeUnit.SECONDS))
                    .isTrue();
            assertThat(database.isPrepared()).isTrue();
        }
    }

    @Test
    void application_does_not_start_where_the_database_answers_and_refuses() {
        DataSource refusing = new DelegatingDataSource(H2.freshDatabase().dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                throw new SQLException("wrong user name or password", "28000");
            }
        };
        assertThatThrownBy(() -> PreparedDatabase.prepare(refusing, settings()))
                .isInstanceOf(DatabaseException.class)
                .hasMessageContaining("wrong user name");
    }

    /** As a transaction does that publishes: with a connection in hand. */
    private static boolean isReadyFor(PreparedDatabase database, DataSource pool, CyclicBarrier all) {
        try (Connection held = pool.getConnection()) {
            all.await(POOL_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            database.store().schema().check();
            return !held.isClosed();
        } catch (DatabaseException e) {
            assertThat(e.isUnreachable()).isTrue();
            return false;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
