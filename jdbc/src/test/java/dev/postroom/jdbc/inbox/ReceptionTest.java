package dev.postroom.jdbc.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.DatabaseException;
import dev.postroom.FailureReason;
import dev.postroom.handler.DeliveryFailedException;
import dev.postroom.inbox.Handling;
import dev.postroom.inbox.Inbox;
import dev.postroom.inbox.MessageHandler;
import dev.postroom.inbox.ReceivedMessage;
import dev.postroom.inbox.Reception;
import dev.postroom.inbox.Verdict;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the end of a handler means for its message, whatever broker brought it. */
@Tag("R41")
class ReceptionTest {
    private static final RetryPolicy TENFOLD =
            new RetryPolicy(Duration.ofSeconds(1), 10, Duration.ofSeconds(500), 0.5, 3);

    private final TestDatabase database = H2.freshDatabase();
    private final AtomicInteger calls = new AtomicInteger();
    private Inbox inbox;

    @BeforeEach
    void open() {
        Store.open(database.dataSource(), TableNames.DEFAULT).schema().migrate();
        inbox = Inbox.on(database.dataSource());
    }

    private Verdict receive(String id, int attempt, MessageHandler handler) {
        Reception reception = new Reception(inbox, "billing", TENFOLD, (message, tx) -> {
            calls.incrementAndGet();
            handler.handle(message, tx);
        });
        return reception.receive(
                new ReceivedMessage(id, "order.paid", null, "42", "", "text/plain", Map.of(), new byte[] {7}, attempt));
    }

    private static MessageHandler failing(FailureReason reason) {
        return (message, tx) -> {
            throw new DeliveryFailedException(reason, "no stock");
        };
    }

    private void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private long recorded() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM postroom_inbox")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void message_is_done_once_and_a_duplicate_without_its_handler() {
        assertThat(receive("m", 1, (message, tx) -> {})).isEqualTo(new Verdict.Done(Handling.HANDLED));
        assertThat(receive("m", 1, (message, tx) -> {})).isEqualTo(new Verdict.Done(Handling.DUPLICATE));
        assertThat(calls).hasValue(1);
    }

    @Test
    void each_try_waits_longer_than_the_one_before_without_jitter() throws Exception {
        for (int attempt : new int[] {1, 2}) {
            assertThat(receive("m", attempt, failing(FailureReason.DEPENDENCY_FAILURE)))
                    .isEqualTo(new Verdict.Again(
                            attempt + 1,
                            Duration.ofSeconds(attempt == 1 ? 1 : 10),
                            FailureReason.DEPENDENCY_FAILURE,
                            "no stock"));
        }
        assertThat(recorded()).as("what failed is not recorded as handled").isZero();
    }

    @Test
    void last_failure_is_a_dead_letter_that_tells_why() {
        assertThat(receive("m", 3, failing(FailureReason.DEPENDENCY_FAILURE)))
                .isEqualTo(new Verdict.Dead(3, FailureReason.POISON, "DEPENDENCY_FAILURE in attempt 3: no stock"));
    }

    @Test
    void permanent_failure_is_a_dead_letter_at_once() {
        assertThat(receive("m", 1, failing(FailureReason.VALIDATION_FAILURE)))
                .isEqualTo(new Verdict.Dead(1, FailureReason.VALIDATION_FAILURE, "no stock"));
    }

    @Test
    void outage_spends_no_attempt_and_never_ends_in_a_dead_letter() {
        for (int attempt : new int[] {1, 3}) {
            assertThat(receive("m", attempt, failing(FailureReason.TRANSPORT_UNAVAILABLE)))
                    .isInstanceOfSatisfying(
                            Verdict.Again.class,
                            again -> assertThat(again.attempt()).isEqualTo(attempt));
        }
    }

    @Test
    void anything_else_that_a_handler_throws_is_tried_again() {
        for (Throwable thrown :
                new Throwable[] {new IllegalStateException("no"), new SQLException("no"), new StackOverflowError("no")
                }) {
            Verdict verdict = receive("m", 1, (message, tx) -> {
                if (thrown instanceof Error error) {
                    throw error;
                }
                throw (Exception) thrown;
            });
            assertThat(verdict).isInstanceOfSatisfying(Verdict.Again.class, again -> {
                assertThat(again.reason()).isEqualTo(FailureReason.HANDLER_EXCEPTION);
                assertThat(again.error()).contains("no");
            });
        }
    }

    @Test
    void database_that_fails_before_the_handler_is_no_failure_of_the_message() throws Exception {
        try (Connection connection = database.connect()) {
            execute(connection, "ALTER TABLE postroom_inbox RENAME TO gone");
            assertThat(receive("m", 3, (message, tx) -> {}))
                    .isInstanceOfSatisfying(
                            Verdict.NotNow.class,
                            notNow -> assertThat(notNow.error()).contains("INBOX"));
            execute(connection, "ALTER TABLE gone RENAME TO postroom_inbox");
        }
        assertThat(calls).hasValue(0);
        assertThat(receive("m", 1, (message, tx) -> {
                    throw new DatabaseException("mine", new SQLException("mine"));
                }))
                .isInstanceOfSatisfying(
                        Verdict.Again.class,
                        again -> assertThat(again.reason()).isEqualTo(FailureReason.HANDLER_EXCEPTION));
    }

    @Test
    void handler_that_is_interrupted_is_asked_again_later_and_the_thread_stays_interrupted() {
        assertThat(receive("m", 1, (message, tx) -> {
                    throw new InterruptedException();
                }))
                .isInstanceOf(Verdict.NotNow.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void message_without_an_id_is_a_dead_letter() {
        assertThat(receive("", 1, (message, tx) -> {}))
                .isInstanceOfSatisfying(
                        Verdict.Dead.class,
                        dead -> assertThat(dead.reason()).isEqualTo(FailureReason.VALIDATION_FAILURE));
        assertThat(calls).hasValue(0);
    }

    @Test
    void error_is_cut_to_a_thousand_characters() {
        Verdict verdict = receive("m", 1, (message, tx) -> {
            throw new DeliveryFailedException(FailureReason.UNKNOWN, "x".repeat(999) + "yz");
        });
        assertThat(verdict)
                .isInstanceOfSatisfying(
                        Verdict.Again.class, again -> assertThat(again.error()).isEqualTo("x".repeat(999) + "y…"));
    }
}
