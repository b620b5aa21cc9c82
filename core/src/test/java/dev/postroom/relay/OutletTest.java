package dev.postroom.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postroom.FailureReason;
import dev.postroom.Stream;
import dev.postroom.engine.Command;
import dev.postroom.engine.Event;
import dev.postroom.secrets.Secrets;
import dev.postroom.spi.Content;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.Tracing;
import dev.postroom.spi.Transport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OutletTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Mailbox mailbox = new Mailbox();
    private final Patient transport = new Patient();

    /** Keeps what it is given until the test answers for it. */
    private static final class Patient implements Transport {
        final List<Long> seqs = new ArrayList<>();
        final List<Map<String, String>> headers = new ArrayList<>();
        final List<Consumer<Outcome>> answers = new ArrayList<>();
        int capacity = Integer.MAX_VALUE;

        @Override
        public void send(Delivery delivery, Consumer<Outcome> outcome) {
            seqs.add(delivery.seq());
            headers.add(delivery.headers());
            answers.add(outcome);
        }

        @Override
        public int capacity() {
            return capacity;
        }

        @Override
        public Secrets secrets() {
            return Secrets.of("geheim42");
        }
    }

    private Outlet outlet() {
        return new Outlet(Destination.of("there", transport).timeout(Duration.ofSeconds(5)), mailbox, Tracing.NONE);
    }

    private static Command.Send send(long seq, long deadline) {
        return send(seq, deadline, Map.of());
    }

    private static Command.Send send(long seq, long deadline, Map<String, String> headers) {
        Content content = new Content(null, "text/plain", null, headers, new byte[0], null);
        UUID id = new UUID(0, seq);
        Delivery delivery = new Delivery(id, seq, new Stream("", "t", null), content, Instant.EPOCH, 1, deadline);
        return new Command.Send("there", new RowKey(1, seq, id), delivery);
    }

    private static Command.Send send(long seq) {
        return send(seq, Long.MAX_VALUE);
    }

    private List<Outcome> outcomes() throws InterruptedException {
        return mailbox.collect(0).stream()
                .map(event -> ((Event.Replied) event).outcome())
                .toList();
    }

    @Test
    @Tag("R53")
    void a_trace_that_a_foreign_writer_got_wrong_reaches_nobody() {
        Outlet outlet = outlet();
        String parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        Map<String, String> right = Map.of("Traceparent", parent, "shop", "north");
        outlet.send(send(1, Long.MAX_VALUE, right), 0);
        outlet.send(send(2, Long.MAX_VALUE, Map.of("Traceparent", "garbage", "tracestate", "a=1", "shop", "north")), 0);
        assertThat(transport.headers).containsExactly(right, Map.of("shop", "north"));
    }

    @Nested
    class An_answer {
        @Test
        void is_told_once() throws InterruptedException {
            outlet().send(send(1), 0);
            transport.answers.get(0).accept(Outcome.confirmed());
            transport.answers.get(0).accept(Outcome.unavailable("again"));
            assertThat(outcomes()).containsExactly(Outcome.confirmed());
        }

        @Test
        @Tag("R60")
        void is_told_although_its_trace_cannot_be_ended() throws InterruptedException {
            Tracing broken = new Tracing() {
                @Override
                public Sending sending(Delivery delivery, String destination, Transport transport) {
                    return new Sending() {
                        @Override
                        public Delivery delivery() {
                            return delivery;
                        }

                        @Override
                        public void ended(Outcome outcome) {
                            throw new AssertionError("a bug of the tracing");
                        }
                    };
                }
            };
            new Outlet(Destination.of("there", transport), mailbox, broken).send(send(1), 0);
            assertThatThrownBy(() -> transport.answers.get(0).accept(Outcome.confirmed()))
                    .isInstanceOf(AssertionError.class);
            assertThat(outcomes()).containsExactly(Outcome.confirmed());
        }

        @Test
        @Tag("R72")
        void is_told_without_the_secrets_of_the_transport() throws InterruptedException {
            outlet().send(send(1), 0);
            transport.answers.get(0).accept(Outcome.unavailable("amqp://u:geheim42@h refused geheim%34%32"));
            assertThat(outcomes()).containsExactly(Outcome.unavailable("amqp://u:***@h refused ***"));
        }

        @Test
        @Tag("R25")
        void that_does_not_come_is_a_timeout_and_dropped_when_it_comes_later() throws InterruptedException {
            Outlet outlet = outlet();
            outlet.send(send(1), 0);
            assertThat(outlet.nextTurn()).isEqualTo(5 * SECOND);
            outlet.turn(5 * SECOND - 1);
            assertThat(outcomes()).isEmpty();
            outlet.turn(5 * SECOND);
            transport.answers.get(0).accept(Outcome.confirmed());
            assertThat(outcomes())
                    .singleElement()
                    .isEqualTo(Outcome.failed(FailureReason.TIMEOUT, "no answer within 5000 ms"));
        }

        @Test
        @Tag("R23")
        void is_a_failure_of_the_message_when_the_transport_throws() throws InterruptedException {
            Transport broken = (delivery, outcome) -> {
                throw new IllegalStateException("no");
            };
            new Outlet(Destination.of("there", broken), mailbox, Tracing.NONE).send(send(1), 0);
            assertThat(outcomes())
                    .singleElement()
                    .isEqualTo(Outcome.failed(FailureReason.UNKNOWN, "java.lang.IllegalStateException: no"));
        }
    }

    @Nested
    @Tag("R38")
    class Its_credit {
        @Test
        void is_what_the_transport_takes_before_it_has_answered() {
            transport.capacity = 2;
            Outlet outlet = outlet();
            outlet.take(0);
            assertThat(outlet.isLeft(0)).isTrue();
            outlet.take(0); // both decided in one turn
            assertThat(outlet.isLeft(0)).isFalse();
            outlet.send(send(1), 0);
            outlet.send(send(2), 0);
            assertThat(outlet.isLeft(0)).isFalse();
            assertThat(outlet.next()).as("an answer brings it, and not time").isEqualTo(Long.MAX_VALUE);

            transport.answers.get(1).accept(Outcome.confirmed());
            assertThat(outlet.isLeft(0)).isTrue();
        }

        @Test
        void comes_by_the_rate_which_says_when() {
            Outlet outlet = new Outlet(Destination.of("there", transport).rate(10), mailbox, Tracing.NONE);
            outlet.take(0);
            assertThat(outlet.isLeft(0)).isFalse();
            assertThat(outlet.next()).isEqualTo(SECOND / 10);
            assertThat(outlet.isLeft(SECOND / 10)).isTrue();
            outlet.take(SECOND / 10);
            assertThat(outlet.isLeft(SECOND / 10)).isFalse();
        }

        @Test
        void comes_with_an_answer_and_not_by_the_rate_when_the_transport_is_full() {
            transport.capacity = 1;
            Outlet outlet = new Outlet(Destination.of("there", transport).rate(10), mailbox, Tracing.NONE);
            outlet.take(0);
            assertThat(outlet.next()).isEqualTo(Long.MAX_VALUE);
        }

        @Test
        void is_not_saved_up_over_a_pause() {
            Outlet outlet = new Outlet(Destination.of("there", transport).rate(10), mailbox, Tracing.NONE);
            outlet.take(10 * SECOND);
            assertThat(outlet.isLeft(10 * SECOND)).isFalse();
        }
    }

    @Test
    @Tag("R21")
    void what_comes_after_its_deadline_is_not_sent_and_costs_nothing() throws InterruptedException {
        outlet().send(send(1, SECOND), 2 * SECOND);
        assertThat(transport.seqs).isEmpty();
        assertThat(outcomes())
                .singleElement()
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.scope()).isEqualTo(Outcome.Scope.NOT_SENT));
    }
}
