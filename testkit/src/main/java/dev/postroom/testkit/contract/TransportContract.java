package dev.postroom.testkit.contract;

import static dev.postroom.testkit.contract.Answers.failure;
import static dev.postroom.testkit.contract.Answers.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.spi.Content;
import dev.postroom.spi.Delivery;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.Outcome.Scope;
import dev.postroom.testkit.contract.DestinationUnderTest.Received;
import java.net.URI;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What every transport must show against its real destination; a subclass per transport opens the destination. */
@Tag("R56")
public abstract class TransportContract extends TransportFixture {
    /** What an outbox takes by default. */
    private static final int LARGEST_PAYLOAD = 1_048_576;

    @Test
    @Tag("R20")
    void what_was_confirmed_has_arrived() {
        Delivery delivery = sample().build();
        assertThat(answers.sendAndAwait(delivery)).isEqualTo(Outcome.confirmed());
        assertThat(arrived(delivery).event().getId()).isEqualTo(delivery.id().toString());
    }

    @Test
    void attributes_headers_and_every_byte_arrive() {
        byte[] payload = new byte[70_000]; // more than a frame or a packet of most protocols
        new Random(7).nextBytes(payload);
        Map<String, String> headers = Map.of("X-Shop", "north", "correlation", "a-1");
        Delivery delivery = sample().key(destination.exoticText())
                .tenant("t " + destination.exoticText())
                .headers(headers)
                .payload(payload)
                .build();

        assertThat(answers.sendAndAwait(delivery)).isEqualTo(Outcome.confirmed());

        Received received = arrived(delivery);
        assertThat(received.event().getSource()).isEqualTo(URI.create("/contract"));
        assertThat(received.event().getType()).isEqualTo("SampleSent");
        assertThat(received.event().getSubject()).isEqualTo(delivery.key());
        assertThat(received.event().getExtension("tenantid"))
                .isEqualTo(delivery.stream().tenant());
        assertThat(received.event().getTime())
                .isEqualTo(OffsetDateTime.ofInstant(delivery.createdAt(), ZoneOffset.UTC));
        assertThat(received.event().getDataContentType()).isEqualTo("text/plain");
        assertThat(bytes(received)).isEqualTo(payload);
        assertThat(received.contentEncoding()).isNull();
        assertThat(received.headers()).containsAllEntriesOf(headers);
    }

    @Test
    void a_message_with_nothing_but_its_topic_arrives() {
        Delivery delivery = sample().content(
                        new Content(null, "application/octet-stream", null, Map.of(), new byte[0], null))
                .build();
        assertThat(answers.sendAndAwait(delivery)).isEqualTo(Outcome.confirmed());

        Received received = arrived(delivery);
        assertThat(received.event().getType()).isEqualTo(destination.topic());
        assertThat(received.event().getSubject()).isNull();
        assertThat(received.event().getExtension("tenantid")).isNull();
        assertThat(bytes(received)).isEmpty();
    }

    @Test
    void the_trace_goes_on_at_the_consumer() {
        String parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        Delivery delivery = sample().headers(Map.of("traceparent", parent, "tracestate", "a=1"))
                .build();
        assertThat(answers.sendAndAwait(delivery)).isEqualTo(Outcome.confirmed());
        assertThat(arrived(delivery).event().getExtension("traceparent")).isEqualTo(parent);
        assertThat(arrived(delivery).headers()).containsEntry("traceparent", parent);
    }

    @Test
    @Tag("R11")
    void a_payload_that_the_outbox_compressed_arrives_as_it_was_before() {
        SampleDelivery sample = sample().json(40 << 10);
        Delivery delivery = sample.compressed().build();
        assertThat(answers.sendAndAwait(delivery)).isEqualTo(Outcome.confirmed());
        assertThat(arrived(delivery).contentEncoding()).isNull();
        assertThat(arrived(delivery).event().getDataContentType()).isEqualTo("application/json");
        assertThat(bytes(arrived(delivery))).isEqualTo(sample.content().payload());
    }

    @Test
    @Tag("R11")
    @Tag("R60")
    void a_payload_that_cannot_be_decompressed_is_refused_for_good_and_alone() {
        refusedAlone(
                sample().content(new Content(null, "application/x", "gzip", Map.of(), new byte[] {1, 2, 3, 4, 5}, null))
                        .build());
    }

    @Test
    @Tag("R10")
    void the_largest_payload_of_an_outbox_arrives() {
        byte[] payload = new byte[LARGEST_PAYLOAD];
        new Random(8).nextBytes(payload);
        Delivery delivery = sample().payload(payload).build();
        assertThat(answers.sendAndAwait(delivery)).isEqualTo(Outcome.confirmed());
        assertThat(bytes(arrived(delivery))).isEqualTo(payload);
    }

    @Test
    @Tag("R25")
    void a_message_that_can_never_be_taken_is_refused_for_good_and_alone() {
        refusedAlone(destination.refused());
    }

    @Test
    @Tag("R25")
    void a_message_that_is_too_large_is_refused_for_good_and_alone() {
        refusedAlone(destination.tooLarge());
    }

    private void refusedAlone(Delivery refused) {
        Delivery before = answers.send(sample().build());
        answers.send(refused);
        Delivery after = answers.send(sample().build());

        assertThat(answers.await(refused)).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.reason().isPermanent()).as(failed.toString()).isTrue();
            assertThat(failed.scope()).isEqualTo(Scope.MESSAGE);
        });
        assertThat(answers.await(before)).isEqualTo(Outcome.confirmed());
        assertThat(answers.await(after)).isEqualTo(Outcome.confirmed());
        assertThat(ids(destination.received())).doesNotContain(refused.id().toString());
    }

    @Test
    @Tag("R22")
    void a_stream_arrives_in_order() {
        List<Delivery> deliveries = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            Delivery delivery = answers.send(sample().key("order-1").build());
            deliveries.add(delivery);
            if (!destination.transport().keepsOrder() || i % 100 == 99) {
                answers.awaitAll(deliveries);
            }
        }
        assertThat(answers.awaitAll(deliveries).values()).containsOnly(Outcome.confirmed());
        allArrived(deliveries);
        assertThat(ids(destination.received()))
                .containsExactlyElementsOf(deliveries.stream()
                        .map(delivery -> delivery.id().toString())
                        .toList());
    }

    @Test
    @Tag("R20")
    void many_at_once_are_all_confirmed() {
        List<Delivery> deliveries = new ArrayList<>();
        while (deliveries.size() < 2_000) {
            List<Delivery> some = sendMany(500);
            deliveries.addAll(some);
            assertThat(answers.awaitAll(some).values()).containsOnly(Outcome.confirmed());
        }
        allArrived(deliveries);
    }

    @Test
    @Tag("R26")
    void an_outage_is_blamed_on_the_destination_and_ends_by_itself() {
        assertThat(answers.sendAndAwait(sample().build())).isEqualTo(Outcome.confirmed());

        destination.goDown();
        patiently()
                .until(() -> answers.sendAndAwait(sample().build()) instanceof Outcome.Failed failed
                        && failed.scope() == Scope.DESTINATION);
        for (int i = 0; i < 100; i++) {
            assertThat(answers.sendAndAwait(sample().build())).is(failure(Scope.DESTINATION));
        }

        destination.comeBack();
        List<Delivery> deliveries = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            deliveries.add(sendUntilConfirmed());
        }
        allArrived(deliveries);
    }

    @Test
    @Tag("R26")
    void what_is_under_way_when_the_destination_goes_down_is_not_blamed() {
        assertThat(answers.sendAndAwait(sample().build())).isEqualTo(Outcome.confirmed());
        destination.fallSilent();
        List<Delivery> deliveries = sendMany(200);
        destination.goDown();
        destination.answerAgain();

        // A few may have been confirmed before the destination fell silent, none may be lost without a word.
        Map<UUID, Outcome> outcomes = answers.awaitAll(deliveries);
        assertThat(outcomes.values())
                .allSatisfy(outcome -> assertThat(outcome)
                        .satisfiesAnyOf(
                                confirmed -> assertThat(confirmed).isEqualTo(Outcome.confirmed()),
                                failed -> assertThat(failed)
                                        .is(failure(Scope.UNCLEAR, Scope.DESTINATION, Scope.NOT_SENT))));

        destination.comeBack();
        sendUntilConfirmed();
        allArrived(deliveries.stream().filter(answers::wasConfirmed).toList());
    }

    @Test
    @Tag("R26")
    void sending_does_not_wait_for_the_answer() {
        assertThat(answers.sendAndAwait(sample().build())).isEqualTo(Outcome.confirmed());
        destination.fallSilent();
        // A send that waits, which would hold up all other destinations, has its answer when it returns.
        assertThat(answers.isAnswered(answers.send(sample().build()))).isFalse();
        destination.answerAgain();
    }

    @Test
    @Tag("R26")
    void a_silent_destination_blocks_nobody_and_is_used_again_when_it_answers() {
        destination.fallSilent();
        List<Delivery> deliveries = sendMany(300);
        assertThat(deliveries).noneMatch(answers::wasConfirmed);
        destination.answerAgain();

        answers.awaitAll(deliveries);
        sendUntilConfirmed();
        allArrived(deliveries.stream().filter(answers::wasConfirmed).toList());
    }

    @Test
    @Tag("R21")
    void nothing_is_put_on_the_wire_after_its_deadline() {
        Delivery late = sample().deadline(Duration.ofNanos(-1)).build();
        assertThat(answers.sendAndAwait(late)).is(failure(Scope.NOT_SENT));

        Delivery inTime = sample().build();
        assertThat(answers.sendAndAwait(inTime)).isEqualTo(Outcome.confirmed());
        arrived(inTime);
        assertThat(ids(destination.received())).containsExactly(inTime.id().toString());
    }

    @Test
    @Tag("R21")
    void what_was_answered_as_not_sent_never_arrives() {
        assertThat(answers.sendAndAwait(sample().build())).isEqualTo(Outcome.confirmed());
        destination.fallSilent();
        List<Delivery> deliveries = new ArrayList<>();
        SampleDelivery large = sample().payload(new byte[100_000]).deadline(Duration.ofMillis(300));
        for (int i = 0; i < Math.min(100, destination.transport().capacity()); i++) {
            deliveries.add(answers.send(large.build()));
        }
        long end = System.nanoTime() + Duration.ofMillis(400).toNanos();
        patiently().until(() -> System.nanoTime() > end);
        destination.answerAgain();

        Map<UUID, Outcome> outcomes = answers.awaitAll(deliveries);
        arrived(sendUntilConfirmed());
        List<String> notSent = outcomes.entrySet().stream()
                .filter(entry -> entry.getValue() instanceof Outcome.Failed failed && failed.scope() == Scope.NOT_SENT)
                .map(entry -> entry.getKey().toString())
                .toList();
        assertThat(ids(destination.received())).noneMatch(notSent::contains);
    }

    @Test
    @Tag("R35")
    void closing_answers_whatever_is_under_way() {
        assertThat(answers.sendAndAwait(sample().build())).isEqualTo(Outcome.confirmed());
        destination.fallSilent();
        List<Delivery> deliveries = sendMany(100);
        close();
        assertThat(deliveries).allMatch(answers::isAnswered);
        assertThat(deliveries)
                .filteredOn(delivery -> !answers.wasConfirmed(delivery))
                .isNotEmpty()
                .extracting(answers::answer)
                .are(failure(Scope.UNCLEAR, Scope.DESTINATION, Scope.NOT_SENT));
        destination.answerAgain();
    }

    @Test
    @Tag("R35")
    void a_closed_transport_sends_nothing_and_says_so() {
        close();
        assertThat(answers.sendAndAwait(sample().build())).is(failure(Scope.DESTINATION, Scope.NOT_SENT));
        destination.transport().close();
        assertThat(destination.received()).isEmpty();
    }

    @Test
    @Tag("R26")
    void closing_while_the_destination_is_down_takes_no_longer() {
        destination.goDown();
        sendMany(10);
        close();
    }

    @Test
    void its_description_says_where_to_and_keeps_secrets() {
        assertThat(destination.transport().description()).isNotBlank();
        String secret = destination.secret();
        if (secret != null) {
            assertThat(destination.transport().description()).doesNotContain(secret);
        }
    }
}
