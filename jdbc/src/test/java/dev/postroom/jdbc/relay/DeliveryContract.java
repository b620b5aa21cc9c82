package dev.postroom.jdbc.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.Message;
import dev.postroom.operations.Change;
import dev.postroom.operations.MessageDetail;
import dev.postroom.operations.MessageStatus;
import dev.postroom.operations.Pause;
import dev.postroom.operations.ReleaseRequest;
import dev.postroom.policy.OnFailure;
import dev.postroom.policy.Route;
import dev.postroom.relay.Destination;
import dev.postroom.relay.ManualRelay;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.testbed.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a relay makes of messages, step by step and without threads. */
abstract class DeliveryContract extends RelayTestBase {
    private final Recorder recorder = new Recorder();

    DeliveryContract(Supplier<TestDatabase> databases) {
        super(databases);
    }

    private ManualRelay manual() {
        return closedAfterwards(relay().deliverTo(recorder).manual());
    }

    private static Outcome broken() {
        return Outcome.failed(FailureReason.HANDLER_EXCEPTION, "it broke");
    }

    @Nested
    class Success {
        @Test
        @Tag("R20")
        @Tag("R34")
        void is_delivered_once_and_archived() {
            UUID id = publish("orders", "1", "a");
            ManualRelay relay = manual();
            relay.drain();
            relay.drain();
            assertThat(recorder.confirmed()).containsExactly("a");
            assertThat(status(id)).isEqualTo(MessageStatus.PROCESSED);
            assertThat(live()).isZero();
        }

        @Test
        @Tag("R34")
        void is_deleted_when_nothing_is_to_be_kept() {
            UUID id = publish("orders", "1", "a");
            closedAfterwards(relay().deliverTo(recorder).deleteAfterDelivery().manual())
                    .drain();
            assertThat(recorder.confirmed()).containsExactly("a");
            assertThat(operations.find(id)).isEmpty();
        }

        @Test
        @Tag("R22")
        void keeps_the_order_of_each_key() {
            for (int i = 0; i < 50; i++) {
                publish("orders", "key" + i % 5, i % 5 + ":" + i / 5);
            }
            manual().drain();
            assertThat(recorder.confirmed()).hasSize(50);
            for (int key = 0; key < 5; key++) {
                String prefix = key + ":";
                assertThat(recorder.confirmed())
                        .filteredOn(text -> text.startsWith(prefix))
                        .isSortedAccordingTo(
                                (a, b) -> Integer.parseInt(a.substring(2)) - Integer.parseInt(b.substring(2)));
            }
        }

        @Test
        @Tag("R7")
        void waits_for_its_time_and_holds_nobody_up() {
            ManualRelay relay = manual();
            publish(Message.to("orders").key("1").text("text/plain", "later").deliverAfter(Duration.ofHours(1)));
            publish("orders", "1", "now");
            relay.drain();
            assertThat(recorder.confirmed()).containsExactly("now");
        }

        @Test
        @Tag("R7")
        void goes_when_its_time_has_come_and_not_before() {
            ManualRelay relay = manual();
            Duration delay = Duration.ofMillis(700);
            long before = System.nanoTime();
            publish(Message.to("orders").key("1").text("text/plain", "later").deliverAfter(delay));
            AtomicLong came = new AtomicLong();
            recorder.answering(delivery -> {
                came.set(System.nanoTime());
                return Outcome.confirmed();
            });
            eventually().untilAsserted(() -> {
                relay.drain();
                assertThat(recorder.confirmed()).containsExactly("later");
            });
            assertThat(Duration.ofNanos(came.get() - before))
                    .isGreaterThan(delay.multipliedBy(9).dividedBy(10));
        }
    }

    @Nested
    class Failure {
        @Test
        @Tag("R24")
        @Tag("R27")
        void is_tried_again_and_dead_after_the_last_attempt() {
            UUID id = publish("orders", "1", "a");
            recorder.answering(delivery -> {
                throw new IllegalStateException("the handler broke");
            });
            manual().drain();
            assertThat(recorder.sent())
                    .extracting(delivery -> delivery.attempt())
                    .containsExactly(1, 2, 3);
            MessageDetail dead = operations.find(id).orElseThrow();
            assertThat(dead.item().status()).isEqualTo(MessageStatus.DEAD);
            assertThat(dead.item().attempts()).isEqualTo(3);
            assertThat(dead.error()).contains("the handler broke");
            assertThat(dead.attempts()).hasSize(3);
        }

        @Test
        @Tag("R25")
        void that_is_permanent_is_dead_at_once() {
            UUID id = publish("orders", "1", "a");
            recorder.answering(delivery -> Outcome.failed(FailureReason.VALIDATION_FAILURE, "no such customer"));
            manual().drain();
            assertThat(recorder.sent()).hasSize(1);
            assertThat(status(id)).isEqualTo(MessageStatus.DEAD);
        }

        @Test
        @Tag("R27")
        void keeps_the_first_2000_characters_of_its_error() {
            UUID id = publish("orders", "1", "a");
            recorder.answering(failingWith("x".repeat(1_999) + "yz" + "z".repeat(5_000)));
            manual().drain();
            kept(id, "x".repeat(1_999) + "y");
        }

        @Test
        @Tag("R27")
        void keeps_as_many_characters_of_its_error_as_it_is_told_to() {
            UUID id = publish("orders", "1", "a");
            recorder.answering(failingWith("0123456789abc"));
            closedAfterwards(relay().deliverTo(recorder).errorLength(10).manual())
                    .drain();
            kept(id, "0123456789");
        }

        @Test
        @Tag("R27")
        void keeps_an_error_of_just_the_limit_whole() {
            UUID id = publish("orders", "1", "a");
            recorder.answering(failingWith("0123456789"));
            closedAfterwards(relay().deliverTo(recorder).errorLength(10).manual())
                    .drain();
            kept(id, "0123456789");
        }

        @Test
        @Tag("R27")
        void keeps_no_half_of_a_character() {
            UUID id = publish("orders", "1", "a");
            recorder.answering(failingWith("12345678\uD83D\uDE80\uD83D\uDE80"));
            closedAfterwards(relay().deliverTo(recorder).errorLength(11).manual())
                    .drain();
            kept(id, "12345678\uD83D\uDE80");
        }

        @Test
        @Tag("R23")
        void is_recorded_although_no_database_can_keep_its_error_as_it_is() {
            UUID id = publish("orders", "1", "a");
            recorder.answering(failingWith("a\u0000b\uD83Dc"));
            manual().drain();
            kept(id, "a\uFFFDb\uFFFDc");
        }

        private Function<Delivery, Outcome> failingWith(String error) {
            return delivery -> Outcome.failed(FailureReason.VALIDATION_FAILURE, error);
        }

        private void kept(UUID id, String error) {
            MessageDetail dead = operations.find(id).orElseThrow();
            assertThat(dead.error()).isEqualTo(error);
            assertThat(dead.attempts())
                    .singleElement()
                    .extracting(MessageDetail.Attempt::error)
                    .isEqualTo(error);
        }

        @Test
        @Tag("R24")
        void is_not_tried_again_before_the_destination_said() {
            UUID id = publish("orders", "1", "a");
            recorder.answering(delivery -> new Outcome.Failed(
                    FailureReason.DEPENDENCY_FAILURE, "busy", Outcome.Scope.MESSAGE, Duration.ofHours(1)));
            manual().drain();
            assertThat(recorder.sent()).hasSize(1);
            assertThat(operations.find(id).orElseThrow().item().attempts()).isEqualTo(1);
        }

        @Test
        @Tag("R23")
        void of_one_message_stops_no_other_key() {
            publish("orders", "1", "bad");
            publish("orders", "2", "good");
            recorder.answering(delivery -> Recorder.text(delivery).equals("bad") ? broken() : Outcome.confirmed());
            manual().drain();
            assertThat(recorder.confirmed()).containsExactly("good");
        }

        @Test
        @Tag("R28")
        void blocks_its_key_until_it_is_retried() {
            UUID first = publish("orders", "1", "first");
            UUID second = publish("orders", "1", "second");
            recorder.answering(delivery -> broken());
            ManualRelay relay = manual();
            relay.drain();
            assertThat(status(first)).isEqualTo(MessageStatus.DEAD);
            assertThat(status(second)).isEqualTo(MessageStatus.BLOCKED);

            recorder.answering(delivery -> Outcome.confirmed());
            operations.change(Change.RETRY, List.of(first), "fixed");
            relay.drain();
            assertThat(recorder.confirmed()).containsExactly("first", "second");
        }

        @Test
        @Tag("R28")
        void blocks_nobody_where_the_policy_is_skip() {
            UUID first = publish("orders", "1", "first");
            publish("orders", "1", "second");
            recorder.answering(delivery -> Recorder.text(delivery).equals("first") ? broken() : Outcome.confirmed());
            ManualRelay relay = closedAfterwards(relay().deliverTo("sink", recorder)
                    .route(Route.of("**", "sink").onFailure(OnFailure.SKIP))
                    .manual());
            relay.drain();
            assertThat(recorder.confirmed()).containsExactly("second");
            assertThat(status(first)).isEqualTo(MessageStatus.DEAD);
            UUID third = publish("orders", "1", "third");
            assertThat(status(third)).isEqualTo(MessageStatus.PENDING);
            relay.drain();
            assertThat(recorder.confirmed()).containsExactly("second", "third");
        }

        @Test
        @Tag("R28")
        void lets_its_key_go_on_when_an_operator_releases_the_stream() {
            publish("orders", "1", "first");
            publish("orders", "1", "second");
            publish("orders", "1", "third");
            recorder.answering(delivery -> Recorder.text(delivery).equals("first") ? broken() : Outcome.confirmed());
            ManualRelay relay = manual();
            relay.drain();
            assertThat(recorder.confirmed()).isEmpty();
            operations.releaseStream(ReleaseRequest.of("", "1"), "order does not matter");
            eventually().untilAsserted(() -> {
                relay.drain();
                assertThat(recorder.confirmed()).containsExactly("second", "third");
            });
        }

        @Test
        @Tag("R28")
        void lets_a_chosen_message_go_on_and_keeps_the_others() {
            publish("orders", "1", "first");
            UUID second = publish("orders", "1", "second");
            UUID third = publish("orders", "1", "third");
            recorder.answering(delivery -> Recorder.text(delivery).equals("first") ? broken() : Outcome.confirmed());
            ManualRelay relay = manual();
            relay.drain();
            operations.releaseStream(ReleaseRequest.of("", "1").only(List.of(third)), "this one is needed");
            eventually().untilAsserted(() -> {
                relay.drain();
                assertThat(recorder.confirmed()).containsExactly("third");
            });
            assertThat(status(second)).isEqualTo(MessageStatus.BLOCKED);
        }

        @Test
        @Tag("R28")
        void lets_its_key_go_on_when_an_operator_skips_it() {
            UUID first = publish("orders", "1", "first");
            publish("orders", "1", "second");
            recorder.answering(delivery -> Recorder.text(delivery).equals("first") ? broken() : Outcome.confirmed());
            ManualRelay relay = manual();
            relay.drain();
            operations.change(Change.SKIP, List.of(first), "not needed");
            eventually().untilAsserted(() -> {
                relay.drain();
                assertThat(recorder.confirmed()).containsExactly("second");
            });
            assertThat(status(first)).isEqualTo(MessageStatus.SKIPPED);
        }
    }

    @Nested
    class Destinations {
        private final Recorder other = new Recorder();

        private ManualRelay both() {
            return closedAfterwards(
                    relay().deliverTo(Destination.of("one", recorder).probeInterval(Duration.ofMillis(100)))
                            .deliverTo(Destination.of("two", other).probeInterval(Duration.ofMillis(100)))
                            .route(Route.of("orders.*", "one", "two"))
                            .route(Route.of("invoices", "two"))
                            .manual());
        }

        @Test
        @Tag("R29")
        void that_have_confirmed_are_not_sent_to_again() {
            publish("orders.created", "1", "a");
            other.answering(delivery -> delivery.attempt() == 1 ? broken() : Outcome.confirmed());
            both().drain();
            assertThat(recorder.sent()).hasSize(1);
            assertThat(other.sent()).hasSize(2);
            assertThat(live()).isZero();
        }

        @Test
        @Tag("R26")
        void that_are_down_are_each_tried_at_their_own_interval() {
            recorder.answering(delivery -> Outcome.unavailable("connection refused"));
            other.answering(delivery -> Outcome.unavailable("connection refused"));
            ManualRelay relay = closedAfterwards(
                    relay().deliverTo(Destination.of("one", recorder).probeInterval(Duration.ofMinutes(1)))
                            .deliverTo(Destination.of("two", other).probeInterval(Duration.ofHours(1)))
                            .route(Route.of("orders", "one"))
                            .route(Route.of("invoices", "two"))
                            .manual());
            publish("orders", "1", "a");
            publish("invoices", "1", "b");
            relay.drain();
            assertThat(recorder.sent()).hasSize(1);
            assertThat(other.sent()).hasSize(1);
            relay.advance(Duration.ofSeconds(61));
            relay.drain();
            assertThat(recorder.sent()).hasSize(2);
            assertThat(other.sent()).hasSize(1);
            relay.advance(Duration.ofHours(1));
            relay.drain();
            assertThat(recorder.sent()).hasSize(3);
            assertThat(other.sent()).hasSize(2);
        }

        @Test
        @Tag("R26")
        void that_are_down_spend_no_attempt_and_do_not_stop_the_others() {
            UUID id = publish("orders.created", "1", "a");
            publish("invoices", "1", "b");
            recorder.answering(delivery -> Outcome.unavailable("connection refused"));
            ManualRelay relay = both();
            relay.drain();
            assertThat(other.confirmed()).contains("b");
            assertThat(operations.find(id).orElseThrow().item().attempts()).isZero();

            recorder.answering(delivery -> Outcome.confirmed());
            relay.advance(Duration.ofMinutes(
                    1)); // on a slow machine several probes have failed by now, and the pause has grown
            relay.drain();
            assertThat(recorder.confirmed()).containsExactly("a");
            assertThat(other.confirmed()).containsExactlyInAnyOrder("a", "b");
            assertThat(live()).isZero();
        }

        @Test
        @Tag("R26")
        void that_asked_to_be_left_alone_are() {
            publish("orders.created", "1", "a");
            recorder.answering(delivery -> new Outcome.Failed(
                    FailureReason.TRANSPORT_UNAVAILABLE,
                    "too many requests",
                    Outcome.Scope.DESTINATION,
                    Duration.ofMinutes(1)));
            ManualRelay relay = both();
            relay.drain();
            recorder.answering(delivery -> Outcome.confirmed());
            for (int i = 0; i < 5; i++) {
                relay.advance(Duration.ofMillis(500));
                relay.drain();
            }
            assertThat(recorder.sent()).hasSize(1);
            assertThat(recorder.confirmed()).isEmpty();
            for (int i = 0; i < 60; i++) {
                relay.advance(Duration.ofSeconds(1));
                relay.drain();
            }
            assertThat(recorder.confirmed()).containsExactly("a");
        }

        @Test
        @Tag("R26")
        void without_the_topic_hold_that_topic_only() {
            publish("orders.created", "1", "a");
            publish("orders.paid", "1", "b");
            recorder.answering(delivery ->
                    delivery.topic().equals("orders.paid") ? Outcome.topicUnavailable("unknown") : Outcome.confirmed());
            ManualRelay relay = both();
            relay.drain();
            publish("orders.created", "2", "c");
            publish("orders.created", "1", "waits for b");
            relay.drain();
            assertThat(recorder.confirmed()).containsExactly("a", "c");
        }

        @Test
        void that_no_route_names_leave_the_message_held() {
            UUID id = publish("unknown", "1", "a");
            both().drain();
            assertThat(recorder.sent()).isEmpty();
            assertThat(status(id)).isNotEqualTo(MessageStatus.DEAD);
        }

        @Test
        @Tag("R36")
        void that_are_paused_get_nothing_until_they_are_resumed() {
            operations.pause(Pause.Target.destination("one"), "maintenance");
            publish("orders.created", "1", "a");
            ManualRelay relay = both();
            relay.drain();
            assertThat(recorder.sent()).isEmpty();
            assertThat(other.confirmed()).containsExactly("a");
            operations.resume(Pause.Target.destination("one"), "done");
            eventually().untilAsserted(() -> {
                relay.drain();
                assertThat(recorder.confirmed()).containsExactly("a");
            });
            assertThat(other.sent()).hasSize(1);
            assertThat(live()).isZero();
        }
    }
}
