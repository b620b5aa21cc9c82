package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.postroom.DatabaseException;
import dev.postroom.Message;
import dev.postroom.NoTransactionException;
import dev.postroom.PostroomException;
import dev.postroom.inbox.Handling;
import dev.postroom.inbox.Inbox;
import dev.postroom.inbox.InboxTransaction;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One effect per message and consumer. */
@Tag("R40")
@Tag("I11")
public abstract class InboxContract extends StoreContract {
    private Inbox inbox;

    @BeforeEach
    void openInbox() {
        inbox = Inbox.configure(store.dataSource())
                .tablePrefix(store.names().prefix())
                .build();
    }

    private void save(InboxTransaction tx, int order) {
        Sql.update(tx.connection(), store.sql("INSERT INTO postroom_orders (id) VALUES (?)"), order);
    }

    @Test
    void a_new_message_is_handled_and_a_duplicate_is_skipped() {
        assertThat(inbox.handleOnce("billing", "m1", tx -> save(tx, 1))).isEqualTo(Handling.HANDLED);
        assertThat(inbox.handleOnce("billing", "m1", tx -> save(tx, 2))).isEqualTo(Handling.DUPLICATE);
        assertThat(inbox.handleOnce("billing", "m1", tx -> save(tx, 3))).isEqualTo(Handling.DUPLICATE);
        assertThat(count("postroom_orders")).isEqualTo(1);
        assertThat(count("postroom_inbox")).isEqualTo(1);
    }

    @Test
    void each_consumer_handles_a_message_once() {
        assertThat(inbox.handleOnce("billing", "m1", tx -> save(tx, 1))).isEqualTo(Handling.HANDLED);
        assertThat(inbox.handleOnce("shipping", "m1", tx -> save(tx, 2))).isEqualTo(Handling.HANDLED);
        assertThat(inbox.handleOnce("billing", "m2", tx -> save(tx, 3))).isEqualTo(Handling.HANDLED);
        assertThat(count("postroom_orders")).isEqualTo(3);
    }

    @Test
    void names_and_ids_are_compared_as_they_are() {
        List<String> different = List.of("a", "A", "a ", " a", "ä", "a\u0308", "\ud83d\ude00", "a".repeat(128));
        for (String one : different) {
            assertThat(inbox.handleOnce("c", one, tx -> {})).as(one).isEqualTo(Handling.HANDLED);
            assertThat(inbox.handleOnce(one, "id", tx -> {})).as(one).isEqualTo(Handling.HANDLED);
        }
        assertThat(count("postroom_inbox")).isEqualTo(2L * different.size());
        assertThat(inbox.handleOnce("\ud83d\ude00".repeat(128), "\ud83d\ude00".repeat(255), tx -> {}))
                .isEqualTo(Handling.HANDLED);
    }

    /** PostgreSQL commits nothing then, and its driver returns from the commit as if it had; the others go on. */
    @Test
    void statement_whose_failure_the_handler_catches_leaves_both_or_neither_and_says_which() {
        Throwable thrown = catchThrowable(() -> inbox.handleOnce("billing", "m1", tx -> {
            save(tx, 1);
            assertThatThrownBy(() -> Sql.update(tx.connection(), "DELETE FROM postroom_nowhere"))
                    .isNotNull();
        }));
        long effects = thrown == null ? 1 : 0;
        assertThat(count("postroom_orders")).isEqualTo(effects);
        assertThat(count("postroom_inbox")).isEqualTo(effects);
    }

    @Test
    void a_handler_that_throws_rolls_both_back_and_its_exception_comes_out_as_it_is() {
        IOException mine = new IOException("mine");
        assertThatThrownBy(() -> inbox.handleOnce("billing", "m1", tx -> {
                    save(tx, 1);
                    throw mine;
                }))
                .isSameAs(mine);
        assertThat(count("postroom_orders")).isZero();
        assertThat(count("postroom_inbox")).isZero();
        assertThat(inbox.handleOnce("billing", "m1", tx -> save(tx, 1))).isEqualTo(Handling.HANDLED);
    }

    @Test
    void an_sql_exception_of_the_handler_comes_out_as_a_cause_and_rolls_both_back() {
        assertThatThrownBy(() -> inbox.handleOnce("billing", "m1", tx -> {
                    save(tx, 1);
                    throw new SQLException("no", "22000");
                }))
                .isInstanceOfSatisfying(
                        DatabaseException.class, e -> assertThat(e.sqlState()).isEqualTo("22000"));
        assertThat(count("postroom_orders")).isZero();
        assertThat(count("postroom_inbox")).isZero();
    }

    @Test
    @Tag("R1")
    void what_the_handler_publishes_commits_with_it() {
        assertThat(inbox.handleOnce(
                        "billing", "m1", tx -> store.outbox().publish(tx.connection(), Message.to("billed"))))
                .isEqualTo(Handling.HANDLED);
        assertThat(inbox.handleOnce(
                        "billing", "m1", tx -> store.outbox().publish(tx.connection(), Message.to("billed"))))
                .isEqualTo(Handling.DUPLICATE);
        assertThat(reader().readAll()).hasSize(1);
    }

    @Test
    void in_a_transaction_of_the_callers_own_commit_makes_it_known_and_rollback_does_not() {
        try (Tx tx = begin()) {
            assertThat(inbox.take(tx.connection(), "billing", "m1")).isTrue();
            tx.writeData(1).rollback();
            assertThat(inbox.take(tx.connection(), "billing", "m1")).isTrue();
            assertThat(inbox.take(tx.connection(), "billing", "m1")).isFalse();
            tx.writeData(1).commit();
            assertThat(inbox.take(tx.connection(), "billing", "m1")).isFalse();
            tx.writeData(2).commit();
        }
        assertThat(count("postroom_orders")).isEqualTo(2);
        assertThat(inbox.handleOnce("billing", "m1", tx -> save(tx, 3))).isEqualTo(Handling.DUPLICATE);
    }

    @Test
    void a_rollback_to_a_savepoint_forgets_it() {
        try (Tx tx = begin()) {
            tx.writeData(1);
            Savepoint before = tx.savepoint();
            assertThat(inbox.take(tx.connection(), "billing", "m1")).isTrue();
            tx.rollbackTo(before);
            assertThat(inbox.take(tx.connection(), "billing", "m1")).isTrue();
            tx.commit();
        }
        assertThat(count("postroom_inbox")).isEqualTo(1);
    }

    @Test
    void a_known_message_never_breaks_the_callers_transaction_at_any_isolation_level() {
        int order = 0;
        for (Isolation level : store.kind().isolationLevels()) {
            inbox.handleOnce("billing", level.name(), tx -> {});
            try (Tx tx = level.begin(store).writeData(++order)) {
                assertThat(inbox.take(tx.connection(), "billing", level.name()))
                        .as(level.name())
                        .isFalse();
                tx.writeData(++order).commit();
            }
        }
        assertThat(count("postroom_orders")).isEqualTo(order);
        assertThat(order).isGreaterThanOrEqualTo(6);
    }

    @Test
    void an_auto_commit_connection_is_refused() throws Exception {
        try (Connection connection = store.dataSource().getConnection()) {
            assertThatThrownBy(() -> inbox.take(connection, "billing", "m1"))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("setAutoCommit(false)");
        }
        assertThat(count("postroom_inbox")).isZero();
    }

    @Test
    void unfit_names_and_ids_are_refused_before_the_transaction_could_break() {
        try (Tx tx = begin().writeData(1)) {
            for (String unfit : List.of("", "a\u0000b", "a\nb", "\ud83d", "x".repeat(256))) {
                assertThatThrownBy(() -> inbox.take(tx.connection(), "billing", unfit))
                        .isInstanceOf(PostroomException.class)
                        .hasMessageContaining("message id");
                assertThatThrownBy(() -> inbox.take(tx.connection(), unfit, "m1"))
                        .isInstanceOf(PostroomException.class)
                        .hasMessageContaining("consumer's name");
            }
            tx.commit();
        }
        assertThat(count("postroom_orders")).isEqualTo(1);
    }

    @Test
    void the_check_at_the_start_leaves_nothing_behind() {
        openInbox();
        assertThat(count("postroom_inbox")).isZero();
    }

    @Test
    @Tag("R34")
    void what_was_purged_is_handled_again() {
        inbox.handleOnce("billing", "m1", tx -> save(tx, 1));
        assertThat(inbox.purge(Duration.ofDays(30))).isZero();
        execute("UPDATE postroom_inbox SET handled_at = handled_at - interval '31' day");
        assertThatThrownBy(() -> inbox.purge(Duration.ZERO)).isInstanceOf(PostroomException.class);
        assertThat(inbox.purge(Duration.ofDays(30))).isEqualTo(1);
        assertThat(inbox.handleOnce("billing", "m1", tx -> save(tx, 2))).isEqualTo(Handling.HANDLED);
    }

    @Test
    @Tag("R34")
    void purging_goes_on_until_everything_old_is_gone() {
        execute("INSERT INTO postroom_inbox (consumer, message_id) SELECT 'c', CONCAT(a.lane, '-', b.lane)"
                + " FROM postroom_lane a CROSS JOIN postroom_lane b WHERE b.lane < 32");
        execute("UPDATE postroom_inbox SET handled_at = handled_at - interval '31' day");
        inbox.handleOnce("c", "new", tx -> {});
        assertThat(inbox.purge(Duration.ofDays(30))).isEqualTo(2_048);
        assertThat(value("SELECT message_id FROM postroom_inbox")).isEqualTo("new");
    }

    @Test
    @Tag("R14")
    void an_inbox_in_another_schema_is_used_from_a_session_in_this_one() {
        String schema = freshSchema();
        dev.postroom.spi.Store.open(store.dataSource(), new dev.postroom.spi.TableNames(schema, "in_"))
                .schema()
                .migrate();
        Inbox other = Inbox.configure(store.dataSource())
                .schema(schema)
                .tablePrefix("in_")
                .build();
        assertThat(other.handleOnce("billing", "m1", tx -> save(tx, 1))).isEqualTo(Handling.HANDLED);
        assertThat(other.handleOnce("billing", "m1", tx -> save(tx, 2))).isEqualTo(Handling.DUPLICATE);
        assertThat(inbox.handleOnce("billing", "m1", tx -> save(tx, 3))).isEqualTo(Handling.HANDLED);
        assertThat(value("SELECT count(*) FROM " + schema + ".in_inbox")).isEqualTo("1");
    }
}
