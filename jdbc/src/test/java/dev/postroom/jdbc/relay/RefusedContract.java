package dev.postroom.jdbc.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.operations.Change;
import dev.postroom.operations.Health;
import dev.postroom.operations.HealthThresholds;
import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.MessageStatus;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.testbed.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A running relay, and a database that refuses to record what became of some message, or of any. */
@Tag("R60")
abstract class RefusedContract extends RelayTestBase {
    private static final int OTHERS = 40;

    private final Recorder recorder = new Recorder();
    private final List<UUID> others = new ArrayList<>();

    RefusedContract(Supplier<TestDatabase> databases) {
        super(databases);
    }

    private static boolean isCursed(Delivery delivery) {
        return !delivery.topic().equals("orders");
    }

    @BeforeEach
    void fails_whatever_is_no_order() {
        recorder.answering(delivery ->
                isCursed(delivery) ? Outcome.failed(FailureReason.HANDLER_EXCEPTION, "it broke") : Outcome.confirmed());
    }

    private Relay start() {
        publishOthers();
        return closedAfterwards(relay().deliverTo(recorder).start());
    }

    private void publishOthers() {
        for (int i = 0; i < OTHERS / 2; i++) {
            others.add(publish("orders", "key" + i, "order"));
        }
    }

    /** All others are recorded, those before it and those after it, and each was sent once. */
    private void assertOthersRecorded() {
        publishOthers();
        eventually()
                .untilAsserted(() -> assertThat(count(MessageStatus.PROCESSED)).isGreaterThanOrEqualTo(OTHERS));
        assertThat(others).allSatisfy(id -> assertThat(status(id)).isEqualTo(MessageStatus.PROCESSED));
        assertThat(recorder.sent().stream().filter(delivery -> !isCursed(delivery)))
                .hasSize(OTHERS);
    }

    private void assertDead(UUID id, String error) {
        eventually().until(() -> status(id) == MessageStatus.DEAD);
        MessageDetail detail = operations.find(id).orElseThrow();
        assertThat(detail.error()).contains(error);
    }

    private Health health() {
        return Health.of(
                new Health.Facts(operations.stats(), operations.nodes(), operations.lanes()), HealthThresholds.DEFAULT);
    }

    private List<String> reasons() {
        return health().reasons().stream()
                .map(reason -> reason.code() + " " + reason.text())
                .toList();
    }

    private void execute(String sql, Object... values) {
        try (Connection connection = database.connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }

    @Nested
    class Values_at_their_limits {
        @Test
        void topic_key_and_tenant_as_long_as_they_may_be_can_fail() {
            Random random = new Random(7);
            UUID id = publish("cursed", "k", "x");
            execute(
                    "UPDATE postroom_message SET topic = ?, ordering_key = ?, tenant = ?",
                    text(random, 255),
                    text(random, 512),
                    text(random, 128));
            start();
            assertDead(id, "it broke");
            assertOthersRecorded();
            assertThat(operations.blockedStreams(10)).hasSize(1);
        }

        /** Four bytes a character, and nothing that could be compressed. */
        private static String text(Random random, int characters) {
            return random.ints(characters, 0x20000, 0x2A6D0)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
        }

        @ParameterizedTest
        @ValueSource(strings = {"attempts", "crashes", "version"})
        void a_counter_at_its_maximum_can_fail(String counter) {
            UUID id = publish("cursed", "k", "x");
            execute("UPDATE postroom_message SET " + counter + " = 2147483647");
            start();
            assertDead(id, "");
            assertOthersRecorded();
        }

        @Test
        void a_delay_that_no_calendar_has_is_cut() {
            UUID id = publish("cursed", "k", "x");
            recorder.answering(delivery -> isCursed(delivery)
                    ? new Outcome.Failed(
                            FailureReason.HANDLER_EXCEPTION,
                            "later",
                            Outcome.Scope.MESSAGE,
                            Duration.ofSeconds(Long.MAX_VALUE))
                    : Outcome.confirmed());
            start();
            eventually().until(() -> status(id) == MessageStatus.SCHEDULED);
            assertOthersRecorded();
        }
    }

    @Nested
    class Text_that_a_database_does_not_take {
        @Test
        void in_an_exception_is_cleaned() {
            recorder.answering(delivery -> {
                if (isCursed(delivery)) {
                    throw new IllegalStateException("NUL \0, half a character \uD800.");
                }
                return Outcome.confirmed();
            });
            UUID id = publish("cursed", "k", "x");
            start();
            assertDead(id, "NUL \uFFFD, half a character \uFFFD.");
            assertOthersRecorded();
        }

        @ParameterizedTest
        @ValueSource(strings = {"{\"a\\u0000b\": \"x\\u0000\"}", "{\"a\\u0000b\": [\"no string\"]}"})
        void in_the_name_of_a_header_harms_nobody(String headers) {
            UUID id = publish("cursed", "k", "x");
            // H2 would refuse the second; a table may have been made by hand.
            execute("ALTER TABLE postroom_message DROP CONSTRAINT IF EXISTS"
                    + " postroom_message_headers_must_be_a_json_object_of_strings");
            execute("UPDATE postroom_message SET headers = " + json(), headers);
            start();
            assertDead(id, "");
            assertOthersRecorded();
        }

        @Test
        void in_an_operators_reason_is_cleaned() {
            UUID id = publish("cursed", "k", "x");
            operations.change(Change.DEAD_LETTER, List.of(id), "why \0 not");
            assertThat(operations.find(id).orElseThrow().error()).contains("why \uFFFD not");
        }
    }

    /** A parameter as the column of headers takes it. */
    String json() {
        return "?";
    }

    /** What nobody thought of, by constraints that a user might have added. */
    @Nested
    class An_outcome_that_is_refused {
        @Test
        void of_a_success_leaves_no_archive_entry() {
            execute("ALTER TABLE postroom_archive ADD CONSTRAINT curse CHECK (topic <> 'cursed')");
            recorder.answering(delivery -> Outcome.confirmed());
            UUID id = publish("cursed", "k", "x");
            start();
            assertOthersRecorded();
            eventually().until(() -> operations.find(id).isEmpty());
            assertThat(recorder.sent().stream().filter(RefusedContract::isCursed))
                    .hasSize(1);
        }

        @Test
        void of_a_failure_is_a_dead_letter_with_a_text_of_ours() {
            execute("ALTER TABLE postroom_message ADD CONSTRAINT curse CHECK (error <> 'it broke')");
            UUID id = publish("cursed", "k", "x");
            start();
            assertDead(id, "the database refused to record this failure");
            assertOthersRecorded();
        }

        @Test
        void of_a_failure_in_every_form_is_set_aside_and_told() {
            execute("ALTER TABLE postroom_message ADD CONSTRAINT curse CHECK (topic <> 'cursed' OR reason IS NULL)");
            UUID id = publish("cursed", "k", "x");
            UUID behind = publish("cursed", "k", "y");
            start();
            assertOthersRecorded();
            eventually()
                    .untilAsserted(() -> assertThat(reasons())
                            .anySatisfy(reason -> assertThat(reason)
                                    .startsWith("SETTLE_REFUSED")
                                    .contains("1 messages")));
            assertThat(status(id)).isNotEqualTo(MessageStatus.DEAD);
            assertThat(status(behind)).isNotEqualTo(MessageStatus.DEAD);
            assertThat(recorder.sent().stream().filter(RefusedContract::isCursed))
                    .hasSize(1);
        }

        @Test
        void of_a_success_in_every_form_is_set_aside_and_told() {
            recorder.answering(delivery -> Outcome.confirmed());
            UUID id = publish("cursed", "k", "x");
            execute("CREATE TABLE souvenir (seq " + rowReference() + ")");
            execute("INSERT INTO souvenir SELECT " + rowKey() + " FROM postroom_message WHERE topic = 'cursed'");
            start();
            assertOthersRecorded();
            eventually()
                    .untilAsserted(() -> assertThat(reasons())
                            .anySatisfy(reason -> assertThat(reason)
                                    .startsWith("SETTLE_REFUSED")
                                    .contains("1 messages")));
            assertThat(status(id)).isNotEqualTo(MessageStatus.DEAD);
            assertThat(recorder.sent().stream().filter(RefusedContract::isCursed))
                    .hasSize(1);
        }
    }

    /** A column that refers to a row and so keeps it from being deleted. */
    String rowReference() {
        return "BIGINT, FOREIGN KEY (seq) REFERENCES postroom_message (seq)";
    }

    String rowKey() {
        return "seq";
    }

    @Nested
    class Trouble_of_the_database {
        @Test
        void stops_the_sending_and_kills_nothing_until_it_ends() {
            Relay relay = start();
            eventually().until(() -> count(MessageStatus.PROCESSED) == OTHERS / 2);
            execute("ALTER TABLE postroom_attempt RENAME COLUMN node TO lost");
            UUID id = publish("cursed", "k", "x");
            eventually()
                    .untilAsserted(() -> assertThat(reasons())
                            .anySatisfy(reason -> assertThat(reason)
                                    .startsWith("SETTLE_REFUSED")
                                    .contains("sends none until it can")));
            int sent = recorder.sent().size();
            for (int i = 0; i < 20; i++) {
                publish("orders", "later" + i, "later");
            }
            assertThat(health().status()).isNotEqualTo(Health.Status.UP);
            assertThat(recorder.sent()).hasSize(sent);
            execute("ALTER TABLE postroom_attempt RENAME COLUMN lost TO node");
            eventually().until(() -> count(MessageStatus.PROCESSED) == OTHERS / 2 + 20);
            assertDead(id, "it broke");
            assertThat(recorder.sent().stream().filter(delivery -> !isCursed(delivery)))
                    .hasSize(OTHERS / 2 + 20);
            assertThat(relay.isRunning()).isTrue();
        }
    }
}
