package dev.postroom.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.DatabaseException;
import dev.postroom.NoTransactionException;
import dev.postroom.PostroomException;
import dev.postroom.inbox.Handling;
import dev.postroom.inbox.Inbox;
import dev.postroom.inbox.InboxTransactions;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.Table;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** What handlers write by JPA and JDBC, and the record that they ran, are one commit. */
@Tag("R65")
class SpringInboxTest {
    private static final DataSource ELSEWHERE = H2.freshDatabase().dataSource();
    private static final AtomicBoolean DOWN = new AtomicBoolean();

    private static AnnotationConfigApplicationContext context;
    private static Billing billing;
    private static JdbcTemplate jdbc;
    private static Inbox inbox;

    @Entity
    @Table(name = "invoice")
    static class Invoice {
        @Id
        private String id;

        protected Invoice() {}

        Invoice(String id) {
            this.id = id;
        }
    }

    static class Billing {
        @PersistenceContext
        private EntityManager entities;

        private final JdbcTemplate jdbc;

        Billing(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Transactional
        public void bill(String id) {
            entities.persist(new Invoice(id));
            jdbc.update("INSERT INTO posting (invoice) VALUES (?)", id);
        }

        @Transactional
        public void billAndFail(String id) {
            bill(id);
            entities.flush();
            throw new IllegalStateException("failed");
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void billApart(String id) {
            bill(id);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Application {

        /** A database that can be away. */
        @Bean
        DataSource dataSource() {
            return new DelegatingDataSource(H2.freshDatabase().dataSource()) {
                @Override
                public Connection getConnection() throws SQLException {
                    if (DOWN.get()) {
                        throw new SQLTransientConnectionException("away", "08001", new SQLException("refused"));
                    }
                    return super.getConnection();
                }
            };
        }

        @Bean
        LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource dataSource) {
            LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
            factory.setDataSource(dataSource);
            factory.setManagedTypes(PersistenceManagedTypes.of(Invoice.class.getName()));
            factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
            factory.setJpaPropertyMap(Map.of("hibernate.hbm2ddl.auto", "create"));
            return factory;
        }

        @Bean
        JpaTransactionManager transactionManager(EntityManagerFactory factory) {
            return new JpaTransactionManager(factory);
        }

        @Bean
        JdbcTemplate jdbcTemplate(DataSource dataSource) {
            return new JdbcTemplate(dataSource);
        }

        @Bean
        Billing billing(JdbcTemplate jdbcTemplate) {
            return new Billing(jdbcTemplate);
        }

        @Bean
        Inbox inbox(DataSource dataSource, JpaTransactionManager transactionManager) {
            Store.open(dataSource, TableNames.DEFAULT).schema().migrate();
            return SpringInbox.configure(dataSource, transactionManager).build();
        }
    }

    @BeforeAll
    static void start() {
        context = new AnnotationConfigApplicationContext(Application.class);
        billing = context.getBean(Billing.class);
        jdbc = context.getBean(JdbcTemplate.class);
        inbox = context.getBean(Inbox.class);
        jdbc.execute("CREATE TABLE posting (invoice VARCHAR(100))");
        new JdbcTemplate(ELSEWHERE).execute("CREATE TABLE posting (invoice VARCHAR(100))");
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @BeforeEach
    void clear() {
        DOWN.set(false);
        for (String table : List.of("invoice", "posting", "postroom_inbox")) {
            jdbc.update("DELETE FROM " + table);
        }
    }

    private static List<String> invoices() {
        return jdbc.queryForList("SELECT id FROM invoice ORDER BY id", String.class);
    }

    private static List<String> postings() {
        return jdbc.queryForList("SELECT invoice FROM posting ORDER BY invoice", String.class);
    }

    @Test
    void a_message_has_one_effect_however_often_it_fails_in_the_middle() {
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> inbox.handleOnce("billing", "m1", tx -> billing.billAndFail("1")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("failed");
            assertThatThrownBy(() -> inbox.handleOnce("billing", "m1", tx -> {
                        billing.bill("1");
                        throw new IOException("after the service");
                    }))
                    .isInstanceOf(IOException.class);
            assertThat(invoices()).isEmpty();
            assertThat(postings()).isEmpty();
        }
        assertThat(inbox.handleOnce("billing", "m1", tx -> billing.bill("1"))).isEqualTo(Handling.HANDLED);
        assertThat(inbox.handleOnce("billing", "m1", tx -> billing.bill("2"))).isEqualTo(Handling.DUPLICATE);
        assertThat(invoices()).containsExactly("1");
        assertThat(postings()).containsExactly("1");
    }

    @Test
    void what_jpa_writes_only_at_the_commit_is_part_of_it() {
        inbox.handleOnce("billing", "m1", tx -> billing.bill("1"));
        assertThatThrownBy(() -> inbox.handleOnce("billing", "m2", tx -> billing.bill("1")))
                .isInstanceOf(RuntimeException.class);
        assertThat(postings()).containsExactly("1");
        assertThat(inbox.handleOnce("billing", "m2", tx -> billing.bill("2"))).isEqualTo(Handling.HANDLED);
        assertThat(invoices()).containsExactly("1", "2");
    }

    @Test
    void a_failure_that_the_handler_hides_is_none_that_is_recorded_as_handled() {
        assertThatThrownBy(() -> inbox.handleOnce("billing", "m1", tx -> {
                    try {
                        billing.billAndFail("1");
                    } catch (IllegalStateException e) {
                        // Spring has marked the transaction for a rollback
                    }
                }))
                .isInstanceOf(UnexpectedRollbackException.class);
        assertThat(invoices()).isEmpty();
        assertThat(inbox.handleOnce("billing", "m1", tx -> billing.bill("1"))).isEqualTo(Handling.HANDLED);
    }

    @Test
    void the_connection_given_to_the_handler_is_that_of_the_transaction() {
        assertThatThrownBy(() -> inbox.handleOnce("billing", "m1", tx -> {
                    tx.connection().createStatement().execute("INSERT INTO posting (invoice) VALUES ('by hand')");
                    assertThat(postings()).as("seen by the application's own").containsExactly("by hand");
                    throw new IllegalStateException("failed");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(postings()).isEmpty();
    }

    @Test
    void a_transaction_that_is_there_is_joined() {
        TransactionTemplate outer = new TransactionTemplate(context.getBean(JpaTransactionManager.class));
        outer.executeWithoutResult(status -> {
            assertThat(inbox.handleOnce("billing", "m1", tx -> billing.bill("1")))
                    .isEqualTo(Handling.HANDLED);
            status.setRollbackOnly();
        });
        assertThat(invoices()).isEmpty();
        assertThat(inbox.handleOnce("billing", "m1", tx -> billing.bill("1"))).isEqualTo(Handling.HANDLED);
    }

    /** In a transaction that is there, a second try would go on in one that the database has given up. */
    @Test
    void only_outside_a_transaction_the_next_one_is_new() {
        JpaTransactionManager manager = context.getBean(JpaTransactionManager.class);
        SpringTransactions transactions = new SpringTransactions(context.getBean(DataSource.class), manager);
        assertThat(transactions.beginsAnew()).isTrue();
        new TransactionTemplate(manager)
                .executeWithoutResult(
                        status -> assertThat(transactions.beginsAnew()).isFalse());
    }

    /** What cannot be seen from here, and is in the docs. */
    @Test
    void what_a_handler_does_in_another_transaction_or_database_stays_when_it_fails() {
        JdbcTemplate elsewhere = new JdbcTemplate(ELSEWHERE);
        for (int attempt = 1; attempt <= 2; attempt++) {
            String id = "attempt " + attempt;
            assertThatThrownBy(() -> inbox.handleOnce("billing", "m1", tx -> {
                        billing.billApart(id);
                        elsewhere.update("INSERT INTO posting (invoice) VALUES (?)", id);
                        throw new IllegalStateException("failed");
                    }))
                    .isInstanceOf(IllegalStateException.class);
        }
        assertThat(invoices()).containsExactly("attempt 1", "attempt 2");
        assertThat(elsewhere.queryForList("SELECT invoice FROM posting", String.class))
                .containsExactly("attempt 1", "attempt 2");
    }

    @Test
    void a_transaction_manager_of_another_data_source_is_refused_at_the_start() {
        DataSource dataSource = context.getBean(DataSource.class);
        JdbcTransactionManager other = new JdbcTransactionManager(ELSEWHERE);
        assertThatThrownBy(() -> SpringInbox.configure(dataSource, other))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("no transaction manager begins transactions of the inbox's data source")
                .hasMessageContaining("Inbox.on(dataSource)");
        assertThatThrownBy(() -> SpringInbox.configure(dataSource, List.of())).isInstanceOf(PostroomException.class);

        Inbox chosen = SpringInbox.configure(dataSource, List.of(other, context.getBean(JpaTransactionManager.class)))
                .build();
        assertThatThrownBy(() -> chosen.handleOnce("billing", "m1", tx -> billing.billAndFail("1")))
                .isInstanceOf(IllegalStateException.class);
        assertThat(invoices()).isEmpty();
    }

    /** The caller's transaction must neither lend it its data source nor suffer from the trial. */
    @Test
    void the_manager_is_found_also_within_a_transaction_and_does_that_no_harm() {
        DataSource dataSource = context.getBean(DataSource.class);
        JpaTransactionManager own = context.getBean(JpaTransactionManager.class);
        JdbcTransactionManager other = new JdbcTransactionManager(ELSEWHERE);
        new TransactionTemplate(own).executeWithoutResult(status -> {
            billing.bill("1");
            assertThatThrownBy(() -> SpringInbox.configure(dataSource, other)).isInstanceOf(PostroomException.class);
            SpringInbox.configure(dataSource, List.of(other, own)).build();
        });
        assertThat(invoices()).containsExactly("1");
    }

    @Test
    void a_transaction_that_is_none_is_refused_before_anything_is_written() {
        Inbox none = Inbox.configure(context.getBean(DataSource.class))
                .transactions(new InboxTransactions() {
                    @Override
                    public <T, X extends Exception> T call(Work<T, X> work) throws X {
                        try (Connection connection =
                                context.getBean(DataSource.class).getConnection()) {
                            return work.run(connection);
                        } catch (SQLException e) {
                            throw new IllegalStateException(e);
                        }
                    }

                    @Override
                    public boolean beginsAnew() {
                        return true;
                    }
                })
                .build();
        assertThatThrownBy(() -> none.handleOnce("billing", "m1", tx -> billing.bill("1")))
                .isInstanceOf(NoTransactionException.class);
        assertThat(jdbc.queryForList("SELECT message_id FROM postroom_inbox", String.class))
                .isEmpty();
    }

    @Test
    void a_database_that_is_away_is_told_as_such() {
        DOWN.set(true);
        assertThatThrownBy(() -> inbox.handleOnce("billing", "m1", tx -> billing.bill("1")))
                .isInstanceOfSatisfying(
                        DatabaseException.class,
                        e -> assertThat(e.isUnreachable()).as(e.getMessage()).isTrue());
    }
}
