package dev.postroom.spring;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postroom.outbox.CommitHint;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.TestDatabase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** A pooled database with a table of orders, an outbox, and a transaction manager. */
final class Shop implements AutoCloseable {
    final HikariDataSource dataSource;
    final JdbcTransactionManager transactions;
    final JdbcTemplate jdbc;
    final List<CommitHint> hints = new CopyOnWriteArrayList<>();
    final Outbox outbox;

    Shop(TestDatabase database) {
        dataSource = pool(database);
        Store.open(dataSource, TableNames.DEFAULT).schema().migrate();
        transactions = new JdbcTransactionManager(dataSource);
        jdbc = new JdbcTemplate(dataSource);
        jdbc.execute("create table shop_order (id varchar(40) primary key)");
        outbox = SpringOutbox.configure(dataSource).onCommit(hints::add).build();
    }

    static HikariDataSource pool(TestDatabase database) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setUsername(database.username());
        config.setPassword(database.password());
        config.setMaximumPoolSize(8);
        config.setMinimumIdle(1);
        return new HikariDataSource(config);
    }

    TransactionTemplate transaction() {
        return new TransactionTemplate(transactions);
    }

    TransactionTemplate transaction(int propagation) {
        TransactionTemplate template = transaction();
        template.setPropagationBehavior(propagation);
        return template;
    }

    TransactionTemplate requiresNew() {
        return transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    }

    void save(String order) {
        jdbc.update("insert into shop_order (id) values (?)", order);
    }

    List<String> orders() {
        return jdbc.queryForList("select id from shop_order order by id", String.class);
    }

    /** The keys of the messages that are committed, in the order written. */
    List<String> messages() {
        return jdbc.queryForList("select ordering_key from postroom_message order by seq", String.class);
    }

    void empty() {
        jdbc.update("delete from shop_order");
        jdbc.update("delete from postroom_message");
        hints.clear();
    }

    @Override
    public void close() {
        dataSource.close();
    }
}
