package dev.postroom.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.Message;
import dev.postroom.MessageRejectedException;
import dev.postroom.PostroomException;
import dev.postroom.outbox.CommitHint;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.TestDatabase;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Domain events become messages exactly when the entities' changes become rows. */
@Tag("R2")
abstract class HibernateContract {
    private static final String UNWRITABLE = "unwritable";

    private TestDatabase database;
    private Outbox outbox;
    private EntityManagerFactory factory;
    private final List<CommitHint> hints = new ArrayList<>();

    abstract TestDatabase fresh();

    @BeforeEach
    void open() {
        database = fresh();
        Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
        outbox = Outbox.configure(database.dataSource()).onCommit(hints::add).build();
        Configuration configuration = new Configuration().addAnnotatedClass(Purchase.class);
        configuration.setProperty("hibernate.hbm2ddl.auto", "create");
        configuration.getProperties().put("hibernate.connection.datasource", database.dataSource());
        factory = configuration.buildSessionFactory();
        HibernateOutbox.attach(factory, outbox, HibernateContract::message);
    }

    private static @Nullable Message message(HasDomainEvents entity, Object event) {
        if (event.equals("private")) {
            return null;
        }
        String key = Integer.toString(((Purchase) entity).id());
        Message message = Message.to("purchases").key(key).text("text/plain", event.toString());
        return event.equals(UNWRITABLE) ? message.header("", "refused") : message;
    }

    @AfterEach
    void close() {
        factory.close();
    }

    private void inTransaction(Consumer<EntityManager> work) {
        try (EntityManager manager = factory.createEntityManager()) {
            manager.getTransaction().begin();
            try {
                work.accept(manager);
                manager.getTransaction().commit();
            } catch (RuntimeException e) {
                if (manager.getTransaction().isActive()) {
                    manager.getTransaction().rollback();
                }
                throw e;
            }
        }
    }

    /** The texts of the messages that are committed, in the order of the outbox. */
    private List<String> messages() throws Exception {
        List<String> texts = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT payload FROM postroom_message ORDER BY seq")) {
            while (rows.next()) {
                texts.add(new String(rows.getBytes(1), java.nio.charset.StandardCharsets.UTF_8));
            }
        }
        return texts;
    }

    private long purchases() throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM Purchase")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Test
    @Tag("R12")
    void the_relay_is_woken_by_the_commit_and_not_by_a_rollback() {
        inTransaction(manager -> {
            manager.persist(new Purchase(1).happened("a", "b"));
            manager.flush();
            assertThat(hints).isEmpty();
        });
        assertThat(hints).hasSize(2);
        assertThatThrownBy(() -> inTransaction(manager -> {
                    manager.persist(new Purchase(2).happened("c"));
                    manager.flush();
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(hints).hasSize(2);
    }

    @Test
    @Tag("R1")
    void events_are_written_with_the_entity_and_forgotten() throws Exception {
        Purchase purchase = new Purchase(1).happened("a", "b", "private", "c");
        inTransaction(manager -> manager.persist(purchase));
        assertThat(messages()).containsExactly("a", "b", "c");
        assertThat(purchases()).isEqualTo(1);
        assertThat(purchase.domainEvents().pending()).isEmpty();
    }

    @Test
    void an_entity_that_did_not_change_otherwise_has_its_events_written_too() throws Exception {
        inTransaction(manager -> manager.persist(new Purchase(1)));
        inTransaction(manager -> manager.find(Purchase.class, 1).happened("viewed"));
        assertThat(messages()).containsExactly("viewed");
    }

    @Test
    void several_flushes_in_a_transaction_write_each_event_once() throws Exception {
        Purchase purchase = new Purchase(1).happened("a");
        inTransaction(manager -> {
            manager.persist(purchase);
            manager.flush();
            manager.flush();
            purchase.change("x").happened("b");
            manager.flush();
            purchase.happened("c");
            assertThat(purchase.domainEvents().pending()).containsExactly("a", "b", "c");
        });
        assertThat(messages()).containsExactly("a", "b", "c");
        assertThat(purchase.domainEvents().pending()).isEmpty();
        inTransaction(manager -> manager.merge(purchase));
        assertThat(messages()).containsExactly("a", "b", "c");
    }

    @Test
    void a_flush_before_a_query_writes_once_as_well() throws Exception {
        inTransaction(manager -> {
            manager.persist(new Purchase(1).happened("a"));
            assertThat(manager.createQuery("from Purchase", Purchase.class).getResultList())
                    .hasSize(1);
            assertThat(manager.createQuery("from Purchase", Purchase.class).getResultList())
                    .hasSize(1);
        });
        assertThat(messages()).containsExactly("a");
    }

    @Test
    void what_was_flushed_by_a_query_and_cleared_before_the_commit_is_not_lost() throws Exception {
        inTransaction(manager -> {
            manager.persist(new Purchase(1).happened("a"));
            assertThat(manager.createQuery("from Purchase", Purchase.class).getResultList())
                    .hasSize(1);
            manager.clear();
        });
        assertThat(messages()).containsExactly("a");
    }

    @Test
    void what_was_flushed_and_cleared_before_the_commit_is_not_lost() throws Exception {
        List<Purchase> all = new ArrayList<>();
        inTransaction(manager -> {
            for (int i = 0; i < 20; i++) {
                all.add(new Purchase(i).happened("event " + i));
                manager.persist(all.get(i));
                if (i % 5 == 4) {
                    manager.flush();
                    manager.clear();
                }
            }
        });
        assertThat(messages())
                .containsExactlyElementsOf(
                        IntStream.range(0, 20).mapToObj(i -> "event " + i).toList());
        assertThat(all)
                .allSatisfy(one -> assertThat(one.domainEvents().pending()).isEmpty());
    }

    @Test
    void a_deleted_entity_has_its_last_words() throws Exception {
        inTransaction(manager -> manager.persist(new Purchase(1)));
        inTransaction(manager -> manager.remove(manager.find(Purchase.class, 1).happened("deleted")));
        assertThat(messages()).containsExactly("deleted");
        assertThat(purchases()).isZero();
    }

    @Test
    @Tag("I2")
    void a_rolled_back_flush_keeps_the_events_and_a_retry_writes_them_once() throws Exception {
        Purchase purchase = new Purchase(1).happened("a", "b");
        assertThatThrownBy(() -> inTransaction(manager -> {
                    manager.persist(purchase);
                    manager.flush();
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(messages()).isEmpty();
        assertThat(purchase.domainEvents().pending()).containsExactly("a", "b");

        inTransaction(manager -> manager.persist(purchase));
        assertThat(messages()).containsExactly("a", "b");
        assertThat(purchase.domainEvents().pending()).isEmpty();
    }

    @Test
    void a_flush_that_fails_writes_nothing_and_keeps_the_events() throws Exception {
        inTransaction(manager -> manager.persist(new Purchase(1)));
        Purchase twice = new Purchase(1).happened("a");
        assertThatThrownBy(() -> inTransaction(manager -> manager.persist(twice)))
                .isInstanceOf(RuntimeException.class);
        assertThat(messages()).isEmpty();
        assertThat(twice.domainEvents().pending()).containsExactly("a");
    }

    @Test
    void merging_a_detached_entity_writes_its_events_and_a_rollback_keeps_them_there() throws Exception {
        inTransaction(manager -> manager.persist(new Purchase(1)));
        Purchase detached = new Purchase(1).change("changed").happened("a");
        assertThatThrownBy(() -> inTransaction(manager -> {
                    Purchase managed = manager.merge(detached);
                    managed.happened("b");
                    manager.flush();
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(messages()).isEmpty();
        assertThat(detached.domainEvents().pending()).containsExactly("a");

        inTransaction(manager -> {
            Purchase managed = manager.merge(detached);
            assertThat(manager.merge(detached)).isSameAs(managed);
            managed.happened("b");
        });
        assertThat(messages()).containsExactly("a", "b");
        assertThat(detached.domainEvents().pending()).isEmpty();
    }

    @Test
    void entities_that_are_reached_by_cascades_are_found() throws Exception {
        Purchase first = new Purchase(1).happened("first");
        Purchase second = new Purchase(2).happened("second").follow(first);
        inTransaction(manager -> manager.persist(second));
        assertThat(messages()).containsExactlyInAnyOrder("first", "second");
        first.happened("first again");
        inTransaction(
                manager -> assertThat(manager.merge(second).followed().note()).isEqualTo("new"));
        assertThat(messages()).hasSize(3).contains("first again");
    }

    @Test
    @Tag("R3")
    void an_event_that_cannot_be_written_keeps_all_and_a_retry_neither_loses_nor_doubles() throws Exception {
        Purchase purchase = new Purchase(1).happened("1", "2", UNWRITABLE, "4", "5");
        assertThatThrownBy(() -> inTransaction(manager -> manager.persist(purchase)))
                .satisfiesAnyOf(
                        e -> assertThat(e).isInstanceOf(MessageRejectedException.class),
                        e -> assertThat(e).hasRootCauseInstanceOf(MessageRejectedException.class));
        assertThat(messages()).isEmpty();
        assertThat(purchases()).isZero();
        assertThat(purchase.domainEvents().pending()).containsExactly("1", "2", UNWRITABLE, "4", "5");

        purchase.domainEvents().clear();
        purchase.happened("1", "2", "3", "4", "5");
        inTransaction(manager -> manager.persist(purchase));
        assertThat(messages()).containsExactly("1", "2", "3", "4", "5");
    }

    @Test
    void without_a_flush_nothing_is_written() throws Exception {
        inTransaction(manager -> manager.persist(new Purchase(1)));
        inTransaction(manager -> {
            manager.unwrap(org.hibernate.Session.class).setHibernateFlushMode(org.hibernate.FlushMode.MANUAL);
            manager.find(Purchase.class, 1).change("never").happened("never");
        });
        assertThat(messages()).isEmpty();
    }

    @Test
    void two_transactions_of_one_session_write_each_event_once() throws Exception {
        try (EntityManager manager = factory.createEntityManager()) {
            Purchase purchase = new Purchase(1).happened("a");
            manager.getTransaction().begin();
            manager.persist(purchase);
            manager.getTransaction().commit();
            purchase.happened("b");
            manager.getTransaction().begin();
            manager.getTransaction().commit();
        }
        assertThat(messages()).containsExactly("a", "b");
    }

    @Test
    void attaching_twice_is_refused() {
        assertThatThrownBy(() -> HibernateOutbox.attach(factory, outbox, HibernateContract::message))
                .isInstanceOf(PostroomException.class)
                .hasMessageContaining("once");
    }
}
