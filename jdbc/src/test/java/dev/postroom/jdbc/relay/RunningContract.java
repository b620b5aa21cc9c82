package dev.postroom.jdbc.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.PostroomException;
import dev.postroom.handler.Handlers;
import dev.postroom.operations.LaneItem;
import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.NodeItem;
import dev.postroom.operations.Pause;
import dev.postroom.policy.Route;
import dev.postroom.relay.Destination;
import dev.postroom.relay.Relay;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.testbed.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A relay with its threads. */
abstract class RunningContract extends RelayTestBase {
    private final Recorder recorder = new Recorder();

    RunningContract(Supplier<TestDatabase> databases) {
        super(databases);
    }

    private Relay start() {
        return closedAfterwards(relay().deliverTo(recorder).start());
    }

    private List<String> owners() {
        return operations.lanes().stream()
                .map(LaneItem::owner)
                .filter(owner -> owner != null)
                .distinct()
                .toList();
    }

    @Nested
    class Waking {
        @Test
        @Tag("R12")
        void comes_with_the_commit_long_before_the_next_poll() {
            Relay relay = closedAfterwards(relay().deliverTo(recorder)
                    .pollMin(Duration.ofSeconds(20))
                    .pollMax(Duration.ofSeconds(30))
                    .start());
            eventually().until(() -> owners().size() == 1);
            relay.outbox().publishInOwnTransaction(Message.to("orders").key("1").text("text/plain", "a"));
            eventually().untilAsserted(() -> assertThat(recorder.confirmed()).containsExactly("a"));
            publish("orders", "1", "b");
            relay.wake();
            eventually().untilAsserted(() -> assertThat(recorder.confirmed()).containsExactly("a", "b"));
        }

        @Test
        @Tag("R12")
        void is_not_needed() {
            start();
            publish("orders", "1", "a");
            eventually().untilAsserted(() -> assertThat(recorder.confirmed()).containsExactly("a"));
        }
    }

    @Nested
    class Several_relays {
        @Test
        @Tag("R21")
        @Tag("R22")
        void share_the_lanes_and_keep_the_order_of_each_key() {
            Recorder other = new Recorder();
            start();
            eventually().until(() -> owners().size() == 1);
            IntStream.range(0, 100).forEach(i -> publish("orders", "key" + i % 10, "" + i));
            closedAfterwards(relay().deliverTo(other).name("second").start());
            eventually().until(() -> owners().size() == 2);
            IntStream.range(100, 300).forEach(i -> publish("orders", "key" + i % 10, "" + i));
            eventually().until(() -> live() == 0);
            assertThat(other.confirmed()).isNotEmpty();
            assertThat(recorder.confirmed().size() + other.confirmed().size()).isEqualTo(300);
            for (Recorder one : List.of(recorder, other)) {
                for (int key = 0; key < 10; key++) {
                    int rest = key;
                    assertThat(one.confirmed().stream().map(Integer::valueOf).filter(i -> i % 10 == rest))
                            .isSorted();
                }
            }
        }

        @Test
        @Tag("R21")
        @Tag("R35")
        void do_not_wait_for_the_lanes_of_one_that_closed() {
            Relay first =
                    relay().deliverTo(recorder).lease(Duration.ofMinutes(5)).start();
            eventually().until(() -> owners().size() == 1);
            first.close();
            assertThat(owners()).isEmpty();
            assertThat(operations.nodes()).noneMatch(NodeItem::alive);
            Recorder next = new Recorder();
            closedAfterwards(relay().deliverTo(next).start());
            publish("orders", "1", "a");
            eventually().untilAsserted(() -> assertThat(next.confirmed()).containsExactly("a"));
        }
    }

    @Nested
    class Closing {
        @Test
        @Tag("R35")
        void waits_for_what_is_under_way_and_settles_it() throws Exception {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch mayEnd = new CountDownLatch(1);
            Relay relay = relay().deliverTo(Handlers.create().otherwise(delivery -> {
                        begun.countDown();
                        mayEnd.await();
                    }))
                    .start();
            UUID id = publish("orders", "1", "a");
            assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
            Thread closing = new Thread(relay::close, "closing");
            closing.start();
            eventually().until(() -> !relay.isRunning());
            mayEnd.countDown();
            closing.join(20_000);
            assertThat(status(id)).isEqualTo(MessageStatus.PROCESSED);
            assertThat(owners()).isEmpty();
        }

        @Test
        @Tag("R35")
        void ends_at_its_deadline_and_leaves_the_rest_to_the_lease() {
            CountDownLatch begun = new CountDownLatch(1);
            Relay relay = relay().deliverTo(Handlers.create().otherwise(delivery -> {
                        begun.countDown();
                        new CountDownLatch(1).await();
                    }))
                    .stopTimeout(Duration.ofMillis(300))
                    .start();
            publish("orders", "1", "a");
            eventually().until(() -> begun.getCount() == 0);
            relay.close();
            Recorder next = new Recorder();
            closedAfterwards(relay().deliverTo(next).start());
            eventually().untilAsserted(() -> assertThat(next.confirmed()).containsExactly("a"));
        }

        @Test
        void twice_is_as_good_as_once_and_closes_the_transports() {
            Relay relay = start();
            relay.close();
            assertThat(recorder.isClosed()).isTrue();
            assertThatCode(relay::close).doesNotThrowAnyException();
            assertThatCode(relay::wake).doesNotThrowAnyException();
        }
    }

    @Nested
    class A_destination {
        @Test
        @Tag("R26")
        void that_is_down_stops_no_other_and_resumes_by_itself() {
            Recorder other = new Recorder();
            recorder.answering(delivery -> Outcome.unavailable("connection refused"));
            closedAfterwards(relay().deliverTo(Destination.of("down", recorder).probeInterval(Duration.ofMillis(50)))
                    .deliverTo("up", other)
                    .route(Route.of("a", "down"))
                    .route(Route.of("b", "up"))
                    .start());
            IntStream.range(0, 20).forEach(i -> {
                publish("a", "1", "a" + i);
                publish("b", "1", "b" + i);
            });
            eventually().untilAsserted(() -> assertThat(other.confirmed()).hasSize(20));
            assertThat(recorder.confirmed()).isEmpty();
            recorder.answering(delivery -> Outcome.confirmed());
            eventually()
                    .untilAsserted(() -> assertThat(recorder.confirmed())
                            .containsExactlyElementsOf(IntStream.range(0, 20)
                                    .mapToObj(i -> "a" + i)
                                    .toList()));
            assertThat(count(MessageStatus.DEAD)).isZero();
        }

        @Test
        @Tag("R25")
        void that_answers_others_in_time_but_not_this_one_has_failed_it() {
            closedAfterwards(
                    relay().deliverTo(silentTo(delivery -> delivery.topic().equals("b")))
                            .start());
            UUID other = publish("a", "1", "x");
            eventually().until(() -> status(other) == MessageStatus.PROCESSED);
            UUID id = publish("b", "1", "y");
            eventually().until(() -> status(id) == MessageStatus.PROCESSED);
            assertThat(operations.find(id).orElseThrow().attempts())
                    .singleElement()
                    .satisfies(attempt -> {
                        assertThat(attempt.reason()).isEqualTo(FailureReason.TIMEOUT);
                        assertThat(attempt.error()).isEqualTo("no answer within 100 ms");
                        assertThat(attempt.destination()).isEqualTo("slow");
                        assertThat(attempt.attempt()).isEqualTo(1);
                    });
            assertThat(operations.find(other).orElseThrow().attempts()).isEmpty();
        }

        @Test
        @Tag("I4")
        void that_answers_nobody_is_held_and_costs_no_attempt() {
            closedAfterwards(relay().deliverTo(silentTo(delivery -> true)).start());
            UUID id = publish("orders", "1", "a");
            eventually().until(() -> status(id) == MessageStatus.PROCESSED);
            assertThat(operations.find(id).orElseThrow().attempts()).isEmpty();
        }

        private Destination silentTo(Predicate<Delivery> victims) {
            return Destination.of("slow", new Silent(victims))
                    .timeout(Duration.ofMillis(100))
                    .probeInterval(Duration.ofMillis(50));
        }

        @Test
        @Tag("R38")
        void gets_no_more_than_its_rate() {
            closedAfterwards(
                    relay().deliverTo(Destination.of("slow", recorder).rate(50)).start());
            long begun = System.nanoTime();
            IntStream.range(0, 50).forEach(i -> publish("orders", "k" + i, "" + i));
            eventually().untilAsserted(() -> assertThat(recorder.confirmed()).hasSize(50));
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(900));
        }

        @Test
        @Tag("R21")
        void that_is_slower_than_the_lease_gets_each_message_once() {
            AtomicInteger handled = new AtomicInteger();
            closedAfterwards(relay().lease(Duration.ofSeconds(1))
                    .deliverTo(Handlers.create().concurrency(2).otherwise(delivery -> {
                        handled.incrementAndGet();
                        TimeUnit.MILLISECONDS.sleep(40);
                    }))
                    .start());
            outbox.inTransaction(tx -> IntStream.range(0, 150)
                    .forEach(i -> tx.publish(Message.to("orders").key("k" + i))));
            eventually().until(() -> live() == 0);
            assertThat(handled).hasValue(150);
            assertThat(count(MessageStatus.PROCESSED)).isEqualTo(150);
        }

        @Test
        @Tag("R36")
        void that_is_paused_gets_nothing_until_it_is_resumed() {
            start();
            eventually().until(() -> owners().size() == 1);
            operations.pause(Pause.Target.EVERYTHING, "maintenance");
            eventually().until(() -> report().details().contains("\"cause\":\"pause\""));
            publish("orders", "1", "a");
            Instant published = report().lastSeen();
            eventually().until(() -> report().lastSeen().isAfter(published.plus(Duration.ofSeconds(1))));
            assertThat(recorder.sent()).isEmpty();
            operations.resume(Pause.Target.EVERYTHING, "done");
            eventually().untilAsserted(() -> assertThat(recorder.confirmed()).containsExactly("a"));
        }

        private NodeItem report() {
            return operations.nodes().get(0);
        }
    }

    @Nested
    class Handling {
        @Test
        @Tag("R24")
        void that_throws_is_tried_again_and_dead_in_the_end() {
            closedAfterwards(relay().deliverTo(Handlers.create().on("orders", delivery -> {
                        throw new IllegalStateException("no stock");
                    }))
                    .start());
            UUID id = publish("orders", "1", "a");
            eventually().until(() -> status(id) == MessageStatus.DEAD);
            assertThat(operations.find(id).orElseThrow().attempts())
                    .allSatisfy(attempt -> assertThat(attempt.error()).contains("no stock"))
                    .extracting(MessageDetail.Attempt::reason)
                    .containsExactly(
                            FailureReason.POISON, FailureReason.HANDLER_EXCEPTION, FailureReason.HANDLER_EXCEPTION);
        }

        @Test
        @Tag("R26")
        void without_a_handler_waits_for_one() {
            Relay old =
                    relay().deliverTo(Handlers.create().on("a", delivery -> {})).start();
            UUID known = publish("a", "1", "x");
            UUID unknown = publish("b", "1", "y");
            eventually().until(() -> status(known) == MessageStatus.PROCESSED);
            old.close();
            assertThat(operations.find(unknown).orElseThrow().item().attempts()).isZero();
            closedAfterwards(
                    relay().deliverTo(Handlers.create().on("b", delivery -> {})).start());
            eventually().until(() -> status(unknown) == MessageStatus.PROCESSED);
        }
    }

    @Nested
    class Upkeep {
        @Test
        @Tag("R34")
        void forgets_what_was_kept_long_enough() {
            try (Relay relay = relay().deliverTo(recorder).start()) {
                publish("orders", "1", "a");
                eventually().until(() -> count(MessageStatus.PROCESSED) == 1);
                assertThat(relay.isRunning()).isTrue();
            }
            closedAfterwards(relay().deliverTo(new Recorder())
                    .retention(Duration.ofMillis(1))
                    .start());
            eventually().until(() -> count(MessageStatus.PROCESSED) == 0);
        }
    }

    @Nested
    class Starting {
        @Test
        void needs_somewhere_to_deliver_to() {
            assertThatThrownBy(() -> relay().start())
                    .isInstanceOf(PostroomException.class)
                    .hasMessageContaining("deliverTo");
        }

        @Test
        void needs_a_route_with_several_destinations() {
            assertThatThrownBy(() -> relay().deliverTo("a", recorder)
                            .deliverTo("b", recorder)
                            .start())
                    .isInstanceOf(PostroomException.class)
                    .hasMessageContaining("postroom.routes[0].topic");
        }

        @Test
        void names_the_setting_that_cannot_be() {
            assertThatThrownBy(() ->
                            relay().deliverTo(recorder).lease(Duration.ZERO).start())
                    .isInstanceOf(PostroomException.class)
                    .hasMessageContaining("postroom.relay.lease");
        }
    }
}
