package dev.postroom.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.Message;
import dev.postroom.NoTransactionException;
import dev.postroom.outbox.Outbox;
import dev.postroom.outbox.Staging;
import dev.postroom.testbed.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What publishing in Spring's JDBC transactions promises, on every database. */
@Tag("R2")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PublishingContract {
    private Shop shop;
    private Shop other;

    abstract TestDatabase freshDatabase();

    @BeforeAll
    void open() {
        shop = new Shop(freshDatabase());
        other = new Shop(freshDatabase());
    }

    @AfterAll
    void close() {
        shop.close();
        other.close();
    }

    @BeforeEach
    void empty() {
        shop.empty();
        other.empty();
    }

    private static Message about(String order) {
        return Message.to("orders.created").key(order).text("text/plain", order);
    }

    private void order(String id) {
        shop.save(id);
        shop.outbox.publish(about(id));
    }

    @Test
    void message_and_data_are_committed_together() {
        shop.transaction().executeWithoutResult(tx -> order("1"));
        assertThat(shop.orders()).containsExactly("1");
        assertThat(shop.messages()).containsExactly("1");
    }

    @Test
    @Tag("R12")
    void relay_is_woken_after_the_commit_and_not_before() {
        shop.transaction().executeWithoutResult(tx -> {
            order("1");
            assertThat(shop.hints).isEmpty();
        });
        assertThat(shop.hints)
                .hasSize(1)
                .allSatisfy(hint -> assertThat(hint.seq())
                        .isEqualTo(shop.jdbc.queryForObject("select seq from postroom_message", Long.class)));
    }

    @Test
    @Tag("R12")
    void rollback_writes_neither_and_wakes_nobody() {
        shop.transaction().executeWithoutResult(tx -> {
            order("1");
            tx.setRollbackOnly();
        });
        assertThat(shop.orders()).isEmpty();
        assertThat(shop.messages()).isEmpty();
        assertThat(shop.hints).isEmpty();
    }

    @Test
    @Tag("R3")
    void what_is_staged_is_written_in_the_transaction_and_staged_again_when_that_rolls_back() {
        Staging staging = shop.outbox.stage().add(about("1")).add(about("2"));
        assertThatThrownBy(staging::flush).isInstanceOf(NoTransactionException.class);
        shop.transaction().executeWithoutResult(tx -> {
            staging.flush();
            assertThat(staging.size()).isZero();
            tx.setRollbackOnly();
        });
        assertThat(shop.messages()).isEmpty();
        assertThat(shop.hints).isEmpty();
        assertThat(staging.size()).isEqualTo(2);

        shop.transaction().executeWithoutResult(tx -> staging.flush());
        shop.transaction()
                .executeWithoutResult(tx -> assertThat(staging.flush()).isEmpty());
        assertThat(shop.messages()).containsExactlyInAnyOrder("1", "2");
        assertThat(shop.hints).hasSize(2);
    }

    /** Whether it has committed is unknown: who sends it again sends it twice at worst, and with its own id not even that. */
    @Test
    @Tag("R3")
    void what_is_staged_is_staged_again_when_the_commit_fails() {
        JdbcTransactionManager breaking = new JdbcTransactionManager(shop.dataSource) {
            @Override
            protected void doCommit(DefaultTransactionStatus status) {
                throw new TransactionSystemException("the connection broke");
            }
        };
        Staging staging = shop.outbox.stage().add(about("1"));
        assertThatThrownBy(() -> new TransactionTemplate(breaking).executeWithoutResult(tx -> staging.flush()))
                .isInstanceOf(TransactionSystemException.class);
        assertThat(staging.size()).isEqualTo(1);
        assertThat(shop.hints).isEmpty();
    }

    @Test
    @Tag("R3")
    void every_stage_of_a_transaction_hears_of_its_rollback() {
        Staging last = shop.outbox.stage().add(about("1"));
        shop.transaction().executeWithoutResult(tx -> {
            for (int i = 0; i < CommitActions.MOST; i++) {
                shop.outbox.stage().flush();
            }
            last.flush();
            tx.setRollbackOnly();
        });
        assertThat(last.size()).isEqualTo(1);
    }

    @Test
    @Tag("R3")
    void what_is_staged_and_rolled_back_to_a_savepoint_stays_staged_though_the_rest_commits() {
        Staging before = shop.outbox.stage().add(about("before"));
        Staging nested = shop.outbox.stage().add(about("nested"));
        shop.transaction().executeWithoutResult(outer -> {
            shop.transaction(TransactionDefinition.PROPAGATION_NESTED).executeWithoutResult(tx -> {
                nested.flush();
                tx.setRollbackOnly();
            });
            before.flush();
            shop.transaction(TransactionDefinition.PROPAGATION_NESTED).executeWithoutResult(tx -> {
                nested.flush();
                tx.setRollbackOnly();
            });
        });
        assertThat(shop.messages()).containsExactly("before");
        assertThat(shop.hints).hasSize(1);
        assertThat(before.size()).isZero();
        assertThat(nested.size()).isEqualTo(1);
    }

    @Test
    @Tag("R12")
    void what_a_listener_throws_does_not_come_out_of_a_commit_that_was_done() {
        Outbox outbox = SpringOutbox.configure(shop.dataSource)
                .onCommit(hint -> {
                    throw new IllegalStateException("listener");
                })
                .build();
        shop.transaction().executeWithoutResult(tx -> outbox.publish(about("1")));
        assertThat(shop.messages()).containsExactly("1");
    }

    @Test
    @Tag("R12")
    void a_transaction_with_many_messages_keeps_a_bounded_number_of_hints() {
        shop.transaction().executeWithoutResult(tx -> {
            for (int i = 0; i < CommitActions.MOST + 10; i++) {
                shop.outbox.publish(about("1"));
            }
        });
        assertThat(shop.messages()).hasSize(CommitActions.MOST + 10);
        assertThat(shop.hints).hasSize(CommitActions.MOST);
    }

    @Test
    @Tag("R4")
    void publishing_outside_of_a_transaction_is_refused_and_says_what_to_do() {
        assertThatThrownBy(() -> shop.outbox.publish(about("1")))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining("no active Spring transaction")
                .hasMessageContaining("@Transactional")
                .hasMessageContaining("publishInOwnTransaction");
        assertThat(shop.messages()).isEmpty();
    }

    @Test
    @Tag("R4")
    void a_scope_that_only_supports_transactions_is_none() {
        TransactionTemplate supports = shop.transaction(TransactionDefinition.PROPAGATION_SUPPORTS);
        assertThatThrownBy(() -> supports.executeWithoutResult(tx -> order("1")))
                .isInstanceOf(NoTransactionException.class);
        assertThat(shop.messages()).isEmpty();
    }

    @Test
    @Tag("R4")
    void own_transaction_needs_no_other_and_is_independent_of_one() {
        shop.transaction().executeWithoutResult(tx -> {
            order("1");
            shop.outbox.publishInOwnTransaction(about("own"));
            tx.setRollbackOnly();
        });
        assertThat(shop.messages()).containsExactly("own");
    }

    @Test
    void requires_new_commits_its_own_message_when_the_outer_transaction_rolls_back() {
        shop.transaction().executeWithoutResult(outer -> {
            order("outer");
            shop.requiresNew().executeWithoutResult(inner -> order("inner"));
            assertThat(shop.hints).hasSize(1);
            order("outer again");
            outer.setRollbackOnly();
        });
        assertThat(shop.messages()).containsExactly("inner");
        assertThat(shop.orders()).containsExactly("inner");
        assertThat(shop.hints).hasSize(1);
    }

    @Test
    void requires_new_that_rolls_back_leaves_the_outer_transaction_alone() {
        shop.transaction().executeWithoutResult(outer -> {
            order("before");
            shop.requiresNew().executeWithoutResult(inner -> {
                order("inner");
                inner.setRollbackOnly();
            });
            order("after");
        });
        assertThat(shop.messages()).containsExactly("before", "after");
        assertThat(shop.hints).hasSize(2);
    }

    @Test
    void not_supported_suspends_the_transaction_and_publishing_is_refused() {
        TransactionTemplate without = shop.transaction(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
        shop.transaction().executeWithoutResult(outer -> {
            order("1");
            without.executeWithoutResult(
                    none -> assertThatThrownBy(() -> order("2")).isInstanceOf(NoTransactionException.class));
        });
        assertThat(shop.messages()).containsExactly("1");
    }

    @Test
    void nested_transaction_that_rolls_back_takes_its_message_along_and_no_other() {
        shop.transaction().executeWithoutResult(outer -> {
            order("before");
            shop.transaction(TransactionDefinition.PROPAGATION_NESTED).executeWithoutResult(nested -> {
                order("nested");
                nested.setRollbackOnly();
            });
            order("after");
        });
        assertThat(shop.messages()).containsExactly("before", "after");
        assertThat(shop.orders()).containsExactly("after", "before");
    }

    @Test
    @Tag("R4")
    void read_only_transaction_is_refused_and_can_go_on_reading() {
        TransactionTemplate readOnly = shop.transaction();
        readOnly.setReadOnly(true);
        readOnly.executeWithoutResult(tx -> {
            assertThatThrownBy(() -> shop.outbox.publish(about("1")))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("read-only");
            assertThat(shop.orders()).isEmpty();
        });
        assertThat(shop.messages()).isEmpty();
    }

    @Test
    @Tag("R4")
    void transaction_of_another_data_source_is_refused() {
        TransactionTemplate named = other.transaction();
        named.setName("billing");
        named.executeWithoutResult(tx -> assertThatThrownBy(() -> shop.outbox.publish(about("1")))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining("'billing' is not one of the outbox's data source"));
        assertThat(shop.messages()).isEmpty();
    }

    @Test
    @Tag("R4")
    void connection_that_only_goes_along_with_another_data_sources_transaction_is_refused() {
        other.transaction().executeWithoutResult(tx -> {
            assertThat(shop.orders()).isEmpty(); // binds a connection in auto-commit mode to the thread
            assertThatThrownBy(() -> shop.outbox.publish(about("1"))).isInstanceOf(NoTransactionException.class);
        });
        assertThat(shop.messages()).isEmpty();
    }

    @Test
    void two_data_sources_each_have_their_own_outbox() {
        shop.transaction()
                .executeWithoutResult(mine -> other.transaction().executeWithoutResult(theirs -> {
                    order("mine");
                    other.outbox.publish(about("theirs"));
                    theirs.setRollbackOnly();
                }));
        assertThat(shop.messages()).containsExactly("mine");
        assertThat(other.messages()).isEmpty();
        assertThat(other.hints).isEmpty();
    }

    @Test
    void outbox_on_a_transaction_aware_proxy_joins_the_transaction_of_its_target() {
        Outbox proxied = SpringOutbox.on(new TransactionAwareDataSourceProxy(shop.dataSource));
        shop.transaction().executeWithoutResult(tx -> {
            order("1");
            proxied.publish(about("2"));
            proxied.publishInOwnTransaction(about("own")); // and does not commit the caller's by the way
            tx.setRollbackOnly();
        });
        assertThat(shop.messages()).containsExactly("own");
        assertThat(shop.orders()).isEmpty();
    }

    @Test
    void jooq_under_spring_shares_the_transaction() {
        var jooq = DSL.using(new TransactionAwareDataSourceProxy(shop.dataSource), SQLDialect.DEFAULT);
        for (boolean rollback : List.of(true, false)) {
            shop.transaction().executeWithoutResult(tx -> {
                jooq.execute("insert into shop_order (id) values ('jooq')");
                shop.outbox.publish(about("jooq"));
                if (rollback) {
                    tx.setRollbackOnly();
                }
            });
        }
        assertThat(shop.orders()).containsExactly("jooq");
        assertThat(shop.messages()).containsExactly("jooq");
    }

    @Test
    @Tag("R4")
    void publishing_when_the_transaction_is_over_is_refused() {
        List<Throwable> refusals = new ArrayList<>();
        TransactionTemplate without = shop.transaction(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
        shop.transaction().executeWithoutResult(tx -> {
            order("1");
            without.executeWithoutResult(none -> assertThat(none.isNewTransaction())
                    .as("the transaction is put aside for a while, and known again afterwards")
                    .isFalse());
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    refusals.add(thrownBy(() -> shop.outbox.publish(about("2"))));
                }

                @Override
                public void afterCompletion(int status) {
                    refusals.add(thrownBy(() -> shop.outbox.publish(about("3"))));
                }
            });
        });
        assertThat(refusals)
                .hasSize(2)
                .allSatisfy(refusal -> assertThat(refusal)
                        .isInstanceOf(NoTransactionException.class)
                        .hasMessageContaining("already over"));
        assertThat(shop.messages()).containsExactly("1");
    }

    @Test
    void publishing_just_before_the_commit_is_part_of_it() {
        shop.transaction()
                .executeWithoutResult(tx ->
                        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                            @Override
                            public void beforeCommit(boolean readOnly) {
                                order("1");
                            }
                        }));
        assertThat(shop.messages()).containsExactly("1");
        assertThat(shop.hints).hasSize(1);
    }

    private static Throwable thrownBy(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            return e;
        }
        return new AssertionError("nothing was thrown");
    }
}
