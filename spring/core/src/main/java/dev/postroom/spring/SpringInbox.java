package dev.postroom.spring;

import dev.postroom.PostroomException;
import dev.postroom.inbox.Inbox;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Makes inboxes whose handlers run in Spring's transactions: what a {@code @Transactional} service writes by JDBC, JPA or jOOQ
 * commits together with the record that the message was handled, and rolls back with it.
 *
 * <pre>{@code
 * @Bean
 * Inbox inbox(DataSource dataSource, PlatformTransactionManager transactions) {
 *     return SpringInbox.configure(dataSource, transactions).build();
 * }
 * }</pre>
 *
 * <p>Within a transaction that is already there, {@link Inbox#handleOnce} joins it. What a handler does with
 * {@code REQUIRES_NEW}, or with another data source, is no part of it.
 */
public final class SpringInbox {
    private SpringInbox() {}

    /**
     * An inbox with settings of its own.
     *
     * @param transactions begins the transactions of this data source
     * @throws PostroomException when it does not
     */
    public static Inbox.Builder configure(DataSource dataSource, PlatformTransactionManager transactions) {
        return configure(dataSource, List.of(transactions));
    }

    /**
     * As {@link #configure(DataSource, PlatformTransactionManager)}, in an application that has several: with the first that
     * begins transactions of this data source.
     *
     * @throws PostroomException when none does
     */
    public static Inbox.Builder configure(
            DataSource dataSource, Collection<? extends PlatformTransactionManager> transactions) {
        DataSource target = SpringOutbox.target(dataSource);
        return Inbox.configure(target)
                .transactions(transactions.stream()
                        .map(manager -> new SpringTransactions(target, manager))
                        .filter(SpringTransactions::isOfItsDataSource)
                        .findFirst()
                        .orElseThrow(() -> new PostroomException("no transaction manager begins transactions of the"
                                + " inbox's data source (there is " + transactions
                                + "), so that what a handler writes and"
                                + " the record that it ran would not commit together: define one, such as a"
                                + " JdbcTransactionManager or JpaTransactionManager of that data source, or make an inbox"
                                + " that keeps its transactions to itself, by Inbox.on(dataSource)")));
    }
}
