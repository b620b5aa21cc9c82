package dev.postroom.spring;

import dev.postroom.outbox.Outbox;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/**
 * Makes outboxes whose {@link Outbox#publish(dev.postroom.Message)} joins the Spring-managed transaction of their data
 * source, whoever began it: JDBC, JPA, jOOQ. Outside of one it refuses.
 *
 * <pre>{@code
 * @Bean
 * Outbox outbox(DataSource dataSource, RelayLifecycle relay) {
 *     return SpringOutbox.configure(dataSource).onCommit(relay::wake).build();
 * }
 * }</pre>
 */
public final class SpringOutbox {
    private SpringOutbox() {}

    /** An outbox with default settings: finds out which database this is and checks its schema. */
    public static Outbox on(DataSource dataSource) {
        return configure(dataSource).build();
    }

    /** An outbox with settings of its own. */
    public static Outbox.Builder configure(DataSource dataSource) {
        DataSource target = target(dataSource);
        return Outbox.configure(target).ambientTransaction(new SpringTransaction(target));
    }

    /**
     * Transaction managers know the data source behind such a proxy. And a transaction of our own on a connection of the
     * proxy would in truth be the caller's, and commit it.
     */
    static DataSource target(DataSource dataSource) {
        DataSource target = dataSource;
        while (target instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
            target = proxy.getTargetDataSource();
        }
        return target;
    }
}
