package dev.postroom.spring.boot;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ClassUtils;

/** Whether a relay leaves the application any connection of the pool that they share. */
final class PoolRoom {
    private static final Logger LOG = LoggerFactory.getLogger(PoolRoom.class);
    private static final String HIKARI = "com.zaxxer.hikari.HikariDataSource";
    /** One each for lanes, reading and settling, all the time, and one for upkeep now and then. */
    private static final int OF_THE_RELAY = 4;

    private PoolRoom() {}

    /** Said once, when the relay starts: without it, publishing fails later, and nobody knows why. */
    static void warnIfSmall(DataSource dataSource) {
        warning(dataSource).ifPresent(text -> LOG.warn("OUTBOX_POOL_SMALL {}", text));
    }

    static Optional<String> warning(DataSource dataSource) {
        if (!ClassUtils.isPresent(HIKARI, PoolRoom.class.getClassLoader())) {
            return Optional.empty();
        }
        int size = Hikari.size(dataSource);
        return size < 0 || size > OF_THE_RELAY
                ? Optional.empty()
                : Optional.of(
                        "the pool has " + size + " connection(s), of which the relay keeps three for itself and now"
                                + " and then takes a fourth, so the application may find none: raise"
                                + " spring.datasource.hikari.maximum-pool-size to at least " + (OF_THE_RELAY + 1)
                                + ", better by four over what the application needs");
    }

    /** Apart, because the class may not be there. */
    private static final class Hikari {
        static int size(DataSource dataSource) {
            try {
                return dataSource.isWrapperFor(HikariDataSource.class)
                        ? dataSource.unwrap(HikariDataSource.class).getMaximumPoolSize()
                        : -1;
            } catch (SQLException e) {
                return -1; // it does not tell
            }
        }
    }
}
