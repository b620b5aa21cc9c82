package dev.postroom.testkit;

import static dev.postroom.FailureReason.DEPENDENCY_FAILURE;
import static dev.postroom.FailureReason.HANDLER_EXCEPTION;
import static dev.postroom.FailureReason.POISON;
import static dev.postroom.testkit.PostroomAssertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.operations.DeliveryFacts;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.policy.Route;
import dev.postroom.relay.Destination;
import dev.postroom.relay.Relay;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When a relay really tries again: to the moment, by the attempt's number and by whichever schedule is the closest. */
@Tag("R24")
class RetryScheduleTest {
    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final RetryPolicy TENFOLD =
            new RetryPolicy(Duration.ofSeconds(1), 10, Duration.ofSeconds(500), 0, 5);
    private static final RetryPolicy HOURLY = new RetryPolicy(Duration.ofHours(1), 2, Duration.ofHours(4), 0, 3);

    private final AtomicInteger tries = new AtomicInteger();

    @Test
    void each_try_comes_after_the_delay_of_its_number_and_no_sooner() {
        try (TestOutbox test =
                TestOutbox.configure().relay(relay -> relay.retry(TENFOLD)).build()) {
            test.faults().always(counted(Fault.failing(DEPENDENCY_FAILURE)));
            test.outbox().publishInOwnTransaction(Message.to("t").key("1"));
            test.drain();
            nextTryAfter(test, Duration.ofSeconds(1));
            nextTryAfter(test, Duration.ofSeconds(10));
            nextTryAfter(test, Duration.ofSeconds(100));
            assertThat(test).remaining().withAttempts(4).withReason(DEPENDENCY_FAILURE);
            nextTryAfter(test, Duration.ofSeconds(500)); // the cap
            assertThat(test).deadLetters().withAttempts(5).withReason(POISON).once();
            test.clock().advance(Duration.ofDays(1));
            test.drain();
            assertThat(tries).as("a dead letter is not tried").hasValue(5);
        }
    }

    @Test
    void reason_of_the_last_failure_chooses_the_schedule() {
        Route route = Route.of("**", Destination.DEFAULT_NAME).retryAfter(HANDLER_EXCEPTION, HOURLY);
        try (TestOutbox test = failing(
                relay -> relay.route(route).retry(TENFOLD),
                DEPENDENCY_FAILURE,
                HANDLER_EXCEPTION,
                DEPENDENCY_FAILURE)) {
            test.outbox().publishInOwnTransaction(Message.to("t").key("1"));
            test.drain();
            nextTryAfter(test, Duration.ofSeconds(1));
            nextTryAfter(test, Duration.ofHours(2)); // the second failure, though the first one with this reason
            nextTryAfter(test, Duration.ofSeconds(100));
            assertThat(test).isDrained();
        }
    }

    @Test
    void reason_of_the_last_failure_decides_how_many_tries_there_are() {
        Route route = Route.of("**", Destination.DEFAULT_NAME).retryAfter(HANDLER_EXCEPTION, HOURLY.maxAttempts(2));
        try (TestOutbox test =
                failing(relay -> relay.route(route).retry(TENFOLD), HANDLER_EXCEPTION, HANDLER_EXCEPTION)) {
            test.outbox().publishInOwnTransaction(Message.to("t").key("1"));
            test.drain();
            nextTryAfter(test, Duration.ofHours(1));
            assertThat(test).deadLetters().withAttempts(2).once();
        }
    }

    @Test
    void topic_has_the_schedule_of_its_route() {
        UnaryOperator<Relay.Builder> settings = relay -> relay.route(
                        Route.of("slow.*", Destination.DEFAULT_NAME).retry(HOURLY))
                .route(Route.of("**", Destination.DEFAULT_NAME))
                .retry(TENFOLD);
        try (TestOutbox test = failing(settings, DEPENDENCY_FAILURE, DEPENDENCY_FAILURE)) {
            test.outbox().publishInOwnTransaction(Message.to("slow.one"));
            test.outbox().publishInOwnTransaction(Message.to("other"));
            test.drain();
            nextTryAfter(test, Duration.ofSeconds(1));
            assertThat(test.transport()).nothingDelivered("slow.one").delivered("other");
            nextTryAfter(test, Duration.ofHours(1).minusSeconds(1));
            assertThat(test.transport()).delivered("slow.one");
        }
    }

    @Test
    void type_has_a_schedule_of_its_own_before_its_route() {
        Route route = Route.of("**", Destination.DEFAULT_NAME).retry(TENFOLD).retryOfType("slow", HOURLY);
        try (TestOutbox test = failing(relay -> relay.route(route), DEPENDENCY_FAILURE, DEPENDENCY_FAILURE)) {
            test.outbox().publishInOwnTransaction(Message.to("t").type("slow"));
            test.outbox().publishInOwnTransaction(Message.to("t").type("quick"));
            test.drain();
            nextTryAfter(test, Duration.ofSeconds(1));
            assertThat(test.transport()).delivered("t").withType("quick").once();
            nextTryAfter(test, Duration.ofHours(1).minusSeconds(1));
            assertThat(test.transport()).delivered("t").withType("slow").once();
        }
    }

    @Test
    void destination_that_asks_for_less_than_the_schedule_gets_the_schedule() {
        try (TestOutbox test =
                TestOutbox.configure().relay(relay -> relay.retry(HOURLY)).build()) {
            test.faults().next(counted(Fault.busyFor(Duration.ofSeconds(3))));
            test.faults().always(counted((delivery, target, outcome) -> target.send(delivery, outcome)));
            test.outbox().publishInOwnTransaction(Message.to("t").key("1"));
            test.drain();
            nextTryAfter(test, Duration.ofHours(1));
        }
    }

    @Test
    void jitter_spreads_those_that_fail_together() {
        RetryPolicy jittered = new RetryPolicy(Duration.ofSeconds(10), 1, Duration.ofSeconds(10), 0.5, 3);
        try (TestOutbox test =
                TestOutbox.configure().relay(relay -> relay.retry(jittered)).build()) {
            test.faults().always(Fault.failing(DEPENDENCY_FAILURE));
            List<UUID> ids = IntStream.range(0, 20)
                    .mapToObj(i -> test.outbox()
                            .publishInOwnTransaction(Message.to("t"))
                            .id())
                    .toList();
            test.drain();
            Instant now = test.clock().instant();
            List<Duration> delays =
                    ids.stream().map(id -> Duration.between(now, due(test, id))).toList();
            assertThat(delays)
                    .allSatisfy(delay -> assertThat(delay).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(15)));
            assertThat(delays.stream().distinct()).hasSizeGreaterThan(10);
        }
    }

    private static Instant due(TestOutbox test, UUID id) {
        DeliveryFacts facts = test.operations().find(id).orElseThrow().facts();
        return Objects.requireNonNull(Objects.requireNonNull(facts).due());
    }

    /** Its first tries fail with these reasons, one after the other, and then no more. */
    private TestOutbox failing(UnaryOperator<Relay.Builder> settings, FailureReason... reasons) {
        TestOutbox test = TestOutbox.configure().relay(settings).build();
        for (FailureReason reason : reasons) {
            test.faults().next(counted(Fault.failing(reason)));
        }
        test.faults().always(counted((delivery, target, outcome) -> target.send(delivery, outcome)));
        return test;
    }

    private Fault counted(Fault fault) {
        return (delivery, target, outcome) -> {
            tries.incrementAndGet();
            fault.strike(delivery, target, outcome);
        };
    }

    private void nextTryAfter(TestOutbox test, Duration delay) {
        int before = tries.get();
        test.clock().advance(delay.minus(MOMENT));
        test.drain();
        assertThat(tries).as("tries a moment before %s have passed", delay).hasValue(before);
        test.clock().advance(MOMENT);
        test.drain();
        assertThat(tries).as("tries after %s", delay).hasValue(before + 1);
    }
}
