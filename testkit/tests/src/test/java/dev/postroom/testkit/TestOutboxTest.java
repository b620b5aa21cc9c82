package dev.postroom.testkit;

import static dev.postroom.testkit.PostroomAssertions.assertThat;
import static dev.postroom.testkit.PostroomAssertions.assertThatThrownBy;

import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.PostroomException;
import dev.postroom.handler.Handlers;
import dev.postroom.outbox.Outbox;
import dev.postroom.spi.Store;
import dev.postroom.spi.TableNames;
import dev.postroom.testbed.H2;
import dev.postroom.testbed.MariaDb;
import dev.postroom.testbed.Postgres;
import dev.postroom.testbed.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("R59")
@ExtendWith(PostroomExtension.class)
class TestOutboxTest {

    private static Message message(String key, String text) {
        return Message.to("t").key(key).text("text/plain", text);
    }

    @Test
    @Tag("R22")
    void faults_never_change_the_order_of_a_key(TestOutbox test) {
        test.faults()
                .next(Fault.timingOut())
                .next(Fault.taking(Duration.ofSeconds(5), test.clock()))
                .next(Fault.throwing(new IllegalStateException("broken")));
        for (String text : List.of("a", "b", "c")) {
            test.outbox().publishInOwnTransaction(message("1", text));
        }
        for (int i = 0; i < 5; i++) {
            test.drain();
            test.clock().advance(Duration.ofMinutes(10));
        }
        assertThat(test.transport()).delivered("t").inOrderOfTexts("a", "b", "c");
        assertThat(test).isDrained();
    }

    @Test
    void delivery_takes_the_time_it_is_told_to(TestOutbox test) {
        var before = test.clock().instant();
        test.faults().next(Fault.taking(Duration.ofSeconds(5), test.clock()));
        test.outbox().publishInOwnTransaction(message("1", "a"));
        test.drain();
        assertThat(test.clock().instant()).isEqualTo(before.plusSeconds(5));
        assertThat(test.transport()).deliveredExactly(1);
    }

    @Test
    @Tag("R26")
    void topic_that_is_refused_holds_no_other(TestOutbox test) {
        test.faults().onTopic("bad.*", Fault.topicUnavailable());
        test.outbox().publishInOwnTransaction(Message.to("bad.one"));
        test.outbox().publishInOwnTransaction(Message.to("good.one"));
        test.drain();
        assertThat(test.transport())
                .nothingDelivered("bad.one")
                .delivered("good.one")
                .once();
        assertThat(test)
                .remaining()
                .withAttempts(0)
                .matching("to bad.one", m -> m.stream().topic().equals("bad.one"));
    }

    @Test
    void destination_that_is_busy_is_left_alone_for_as_long_as_it_asks(TestOutbox test) {
        test.faults().next(Fault.busyFor(Duration.ofHours(1)));
        test.outbox().publishInOwnTransaction(message("1", "a"));
        test.drain();
        test.clock().advance(Duration.ofMinutes(59));
        test.drain();
        assertThat(test.transport()).nothingDelivered();
        test.clock().advance(Duration.ofMinutes(1));
        test.drain();
        assertThat(test.transport()).deliveredExactly(1);
    }

    @Test
    void reset_forgets_everything_but_the_time(TestOutbox test) {
        test.outbox().publishInOwnTransaction(message("1", "a").idempotencyKey("once"));
        test.drain();
        test.faults().always(Fault.unavailable());
        test.reset();
        assertThat(test).nothingPublished();
        assertThat(test.transport()).nothingDelivered();
        assertThat(test.outbox()
                        .publishInOwnTransaction(message("1", "b").idempotencyKey("once"))
                        .alreadyExisted())
                .isFalse();
        test.drain();
        assertThat(test.transport()).delivered("t").inOrderOfTexts("b");
    }

    @Test
    void handlers_outlive_a_reset() {
        List<String> handled = new ArrayList<>();
        Handlers handlers = Handlers.create().otherwise(delivery -> handled.add(delivery.key()));
        try (TestOutbox test =
                TestOutbox.configure().deliverTo("handlers", handlers).build()) {
            for (String key : List.of("1", "2")) {
                test.outbox().publishInOwnTransaction(message(key, "a"));
                test.drain();
                test.reset();
            }
        }
        assertThat(handled).containsExactly("1", "2");
    }

    @Test
    void destination_that_is_not_there_is_named() {
        try (TestOutbox test =
                TestOutbox.configure().deliverTo("a").deliverTo("b").build()) {
            assertThatThrownBy(test::transport)
                    .isInstanceOf(PostroomException.class)
                    .hasMessageContaining("[a, b]");
            assertThatThrownBy(() -> test.faults("c")).hasMessageContaining("no destination called 'c'");
        }
    }

    @Test
    void each_test_has_parts_of_one_outbox(
            TestOutbox test, Outbox outbox, ManualClock clock, RecordingTransport transport, FaultyTransport faults) {
        assertThat(test.outbox()).isSameAs(outbox);
        assertThat(test.clock()).isSameAs(clock);
        assertThat(test.transport()).isSameAs(transport);
        assertThat(test.faults()).isSameAs(faults);
    }

    static Stream<Supplier<TestDatabase>> databases() {
        return Stream.of(
                H2::freshDatabase,
                () -> Postgres.newest().freshDatabase(),
                () -> MariaDb.newest().freshDatabase());
    }

    @ParameterizedTest
    @MethodSource("databases")
    void clock_works_with_a_database_of_ones_own(Supplier<TestDatabase> database) {
        DataSource dataSource = database.get().dataSource();
        TableNames tables = new TableNames(null, "kit_");
        Store.open(dataSource, tables).schema().migrate();
        try (TestOutbox test =
                TestOutbox.configure().in(dataSource).tables(tables).build()) {
            test.faults().next(Fault.failing(FailureReason.DEPENDENCY_FAILURE));
            test.outbox().publishInOwnTransaction(message("1", "a"));
            test.outbox().publishInOwnTransaction(message("2", "later").deliverAfter(Duration.ofDays(1)));
            test.drain();
            assertThat(test.transport()).nothingDelivered();
            test.clock().advance(Duration.ofMinutes(1));
            test.drain();
            assertThat(test.transport()).delivered("t").inOrderOfTexts("a");
            test.clock().advance(Duration.ofDays(1));
            test.drain();
            assertThat(test.transport()).delivered("t").inOrderOfTexts("a", "later");
            test.reset();
            assertThat(test).nothingPublished();
        }
    }
}
