package dev.postroom.relay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.postroom.FailureReason;
import dev.postroom.Stream;
import dev.postroom.engine.Refusal;
import dev.postroom.spi.Content;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@Tag("R52")
class RelayLogTest {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final Logger logger = (Logger) LoggerFactory.getLogger(Relay.class);
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
    private final RelayLog log = new RelayLog("shop", "f00d", Duration.ofMinutes(1));

    @BeforeEach
    void listen() {
        logger.setLevel(Level.DEBUG);
        logger.setAdditive(false);
        appender.start();
        logger.addAppender(appender);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(appender);
        logger.setAdditive(true);
        logger.setLevel(null);
    }

    private List<String> lines(Level level) {
        return appender.list.stream()
                .filter(event -> event.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private static StoredMessage message(long seq) {
        Content content =
                new Content(null, "text/plain", null, Map.of(), "top secret".getBytes(StandardCharsets.UTF_8), null);
        return new StoredMessage(
                new RowKey(1, seq, new UUID(0, seq)),
                new Stream("", "orders", "7"),
                content,
                new StoredMessage.Progress(RowState.READY, 0, 0, 0, false, null, 0),
                Instant.EPOCH,
                null,
                null);
    }

    @Test
    void a_thousand_failures_of_one_kind_are_one_line_and_a_count() {
        log.turn(0, 0);
        for (int i = 0; i < 1_000; i++) {
            log.failed(message(i), "billing", FailureReason.TIMEOUT, "no answer to request " + i, 1, 2_000);
        }
        assertThat(lines(Level.WARN))
                .singleElement()
                .asString()
                .startsWith("OUTBOX_WORKER_DISPATCH_FAIL relay=shop id=")
                .contains("topic=orders destination=billing reason=TIMEOUT attempts=1 retryInMs=2000");
        log.turn(MINUTE, 5);
        assertThat(lines(Level.WARN))
                .hasSize(2)
                .last()
                .asString()
                .startsWith("OUTBOX_WORKER_DISPATCH_FAIL relay=shop repeated=999 kind=\"billing TIMEOUT");
        assertThat(lines(Level.INFO))
                .singleElement()
                .asString()
                .startsWith("OUTBOX_WORKER_SUMMARY relay=shop seconds=60 lanes=0 inMemory=5")
                .contains("failed=1000");
    }

    @Test
    void topics_without_a_route_do_not_fill_the_log() {
        for (int i = 0; i < 1_000; i++) {
            log.unrouted("topic" + i, true);
            log.unrouted("topic" + i, false);
        }
        assertThat(lines(Level.WARN))
                .hasSizeBetween(100, 101)
                .allMatch(line -> line.startsWith("OUTBOX_WORKER_NO_ROUTE"));
        log.turn(0, 0);
        log.turn(MINUTE, 0);
        assertThat(lines(Level.WARN).get(lines(Level.WARN).size() - 1))
                .contains("OUTBOX_WORKER_NO_ROUTE", "repeated=899");
    }

    @Test
    void another_kind_of_failure_is_told_at_once() {
        log.failed(message(1), "billing", FailureReason.TIMEOUT, "slow", 1, 10);
        log.failed(message(2), "billing", FailureReason.HANDLER_EXCEPTION, "broken", 1, 10);
        log.failed(message(3), "billing", FailureReason.POISON, "broken", 10, -1);
        assertThat(lines(Level.WARN)).hasSize(3).last().asString().startsWith("OUTBOX_WORKER_DEAD_LETTER");
    }

    @Test
    void single_messages_are_debug_with_what_they_are_and_where_they_went() {
        log.fetched(3);
        log.delivered(message(1), "billing");
        assertThat(lines(Level.DEBUG))
                .containsExactly(
                        "OUTBOX_WORKER_FETCH relay=shop rows=3",
                        "OUTBOX_WORKER_DISPATCH_SUCCESS relay=shop id=00000000-0000-0000-0000-000000000001"
                                + " topic=orders destination=billing");
        assertThat(appender.list).hasSize(2);
    }

    @Test
    void failures_are_warnings_that_name_the_message_the_reason_and_the_next_try() {
        log.failed(message(2), "billing", FailureReason.TIMEOUT, "no answer", 3, 2_000);
        log.failed(message(3), "billing", FailureReason.POISON, "no answer", 10, -1);
        log.failed(message(4), null, FailureReason.VALIDATION_FAILURE, "too large", 1, -1);
        assertThat(lines(Level.WARN))
                .containsExactly(
                        "OUTBOX_WORKER_DISPATCH_FAIL relay=shop id=00000000-0000-0000-0000-000000000002 topic=orders"
                                + " destination=billing reason=TIMEOUT attempts=3 retryInMs=2000 error=\"no answer\"",
                        "OUTBOX_WORKER_DEAD_LETTER relay=shop id=00000000-0000-0000-0000-000000000003 topic=orders"
                                + " destination=billing reason=POISON attempts=10 error=\"no answer\"",
                        "OUTBOX_WORKER_DEAD_LETTER relay=shop id=00000000-0000-0000-0000-000000000004 topic=orders"
                                + " destination= reason=VALIDATION_FAILURE attempts=1 error=\"too large\"");
        assertThat(appender.list).hasSize(3);
    }

    @Test
    void state_changes_are_info_with_their_numbers() {
        log.lanes(64, "took 64");
        log.breaker("billing", null, null, true, "connection refused");
        log.breaker("billing", "orders created", null, false, "it answers again");
        log.duplicates(2);
        log.overtaken(1);
        assertThat(lines(Level.INFO))
                .containsExactly(
                        "OUTBOX_WORKER_LANES relay=shop owned=64 why=\"took 64\"",
                        "OUTBOX_WORKER_DESTINATION_HELD relay=shop destination=billing topic=* type=* why=\"connection refused\"",
                        "OUTBOX_WORKER_DESTINATION_RESUMED relay=shop destination=billing topic=\"orders created\""
                                + " type=* why=\"it answers again\"",
                        "OUTBOX_WORKER_DUPLICATE relay=shop messages=2 why=\"already settled by another relay\"",
                        "OUTBOX_WORKER_SKIP_PROCESSED relay=shop messages=1"
                                + " why=\"changed by an operator or another relay\"");
        assertThat(appender.list).hasSize(5);
    }

    @Test
    void trouble_with_the_database_is_a_warning_that_names_the_desk() {
        log.databaseTrouble("reader", "connection refused");
        log.databaseTrouble("settler", "connection refused");
        log.databaseTrouble("reader", "connection refused");
        assertThat(lines(Level.WARN))
                .containsExactly(
                        "OUTBOX_WORKER_DATABASE relay=shop desk=reader error=\"connection refused\"",
                        "OUTBOX_WORKER_DATABASE relay=shop desk=settler error=\"connection refused\"");
    }

    @Test
    @Tag("R60")
    void an_outcome_that_the_database_refuses_is_a_warning_that_says_what_became_of_it() {
        log.turn(0, 0);
        log.settleRefused(message(2).key(), Refusal.DEAD_LETTERED, "check \"holders\" violated");
        log.settleRefused(message(3).key(), Refusal.DEAD_LETTERED, "check \"holders\" violated");
        assertThat(lines(Level.WARN))
                .containsExactly("OUTBOX_WORKER_SETTLE_REFUSED relay=shop id=00000000-0000-0000-0000-000000000002"
                        + " became=DEAD_LETTERED error=\"check 'holders' violated\"");
        log.settleRefused(message(4).key(), Refusal.SET_ASIDE, "check \"holders\" violated");
        assertThat(lines(Level.WARN)).hasSize(2).last().asString().contains(" became=SET_ASIDE ");
        log.turn(MINUTE, 0);
        assertThat(lines(Level.WARN))
                .hasSize(3)
                .last()
                .asString()
                .startsWith("OUTBOX_WORKER_SETTLE_REFUSED relay=shop repeated=1 kind=\"DEAD_LETTERED");
        assertThat(summaries()).singleElement().asString().contains("refused=3");
    }

    @Test
    void summary_counts_everything_since_the_last_one() {
        log.turn(0, 0);
        log.lanes(64, "took 64");
        log.fetched(8);
        log.fetched(1);
        log.delivered(message(1), "billing");
        log.failed(message(2), "billing", FailureReason.TIMEOUT, "no answer", 1, 10);
        log.failed(message(3), "billing", FailureReason.TIMEOUT, "no answer", 1, 10);
        log.failed(message(4), null, FailureReason.VALIDATION_FAILURE, "too large", 1, -1);
        log.duplicates(5);
        log.overtaken(6);
        log.settleRefused(message(6).key(), Refusal.SET_ASIDE, "check violated");
        log.databaseTrouble("reader", "connection refused");
        log.turn(MINUTE - 1, 7);
        assertThat(summaries()).isEmpty();
        log.turn(MINUTE, 7);
        log.delivered(message(5), "billing");
        log.turn(2 * MINUTE, 0);
        assertThat(summaries())
                .containsExactly(
                        "OUTBOX_WORKER_SUMMARY relay=shop seconds=60 lanes=64 inMemory=7 fetched=9 delivered=1 failed=2"
                                + " dead=1 duplicates=5 overtaken=6 refused=1 databaseErrors=1",
                        "OUTBOX_WORKER_SUMMARY relay=shop seconds=60 lanes=64 inMemory=0 fetched=0 delivered=1 failed=0"
                                + " dead=0 duplicates=0 overtaken=0 refused=0 databaseErrors=0");
    }

    private List<String> summaries() {
        return lines(Level.INFO).stream()
                .filter(line -> line.startsWith("OUTBOX_WORKER_SUMMARY "))
                .toList();
    }

    @Test
    void no_line_has_a_payload_or_can_be_forged() {
        log.delivered(message(1), "billing");
        log.failed(message(1), "billing", FailureReason.UNKNOWN, "bad\n2026 ERROR forged \"quote\"", 1, 10);
        assertThat(appender.list)
                .hasSize(2)
                .extracting(ILoggingEvent::getFormattedMessage)
                .allSatisfy(
                        line -> assertThat(line).doesNotContain("top secret").doesNotContain("\n"));
        assertThat(lines(Level.WARN)).singleElement().asString().endsWith("error=\"bad 2026 ERROR forged 'quote'\"");
    }

    @Test
    void every_line_is_a_name_and_then_pairs_of_key_and_value() {
        log.turn(0, 0);
        log.lanes(64, "took 64");
        log.fetched(3);
        log.delivered(message(1), "billing");
        log.failed(message(1), "billing", FailureReason.TIMEOUT, "no answer, \"sorry\" = 7", 1, 10);
        log.failed(message(2), "billing", FailureReason.TIMEOUT, "no answer, \"sorry\" = 8", 1, 10);
        log.failed(message(3), null, FailureReason.VALIDATION_FAILURE, "too large", 1, -1);
        log.duplicates(2);
        log.overtaken(1);
        log.breaker("billing", "orders created", null, true, "unknown topic");
        log.breaker("billing", null, null, false, "it answers again");
        log.settleRefused(message(4).key(), Refusal.NOT_ARCHIVED, "value out of range");
        log.databaseTrouble("reader", "connection refused");
        log.turn(MINUTE, 5);
        assertThat(appender.list)
                .hasSizeGreaterThan(11)
                .extracting(ILoggingEvent::getFormattedMessage)
                .allSatisfy(
                        line -> assertThat(line).matches("OUTBOX_WORKER_[A-Z_]+( [A-Za-z]+=(\"[^\"]*\"|[^ \"]*))+"));
    }

    @Test
    void an_idle_relay_does_not_fill_the_log() {
        log.turn(0, 0);
        log.turn(MINUTE, 0);
        log.turn(2 * MINUTE, 0);
        assertThat(lines(Level.INFO)).isEmpty();
    }
}
