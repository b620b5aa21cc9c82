package dev.postroom.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Stream;
import dev.postroom.spi.Delivery;
import dev.postroom.testkit.contract.SampleDelivery;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("R22")
class StreamsTest {
    private static final long NOW = 1_000;

    private final Streams streams = new Streams();

    private static Parcel parcel(String key, long seq) {
        Delivery sample = SampleDelivery.to("orders").build();
        Delivery delivery = new Delivery(
                UUID.randomUUID(), seq, new Stream("", "orders", key), sample.content(), Instant.EPOCH, 1, 0);
        return new Parcel(delivery, "orders", outcome -> {}, NOW);
    }

    @Test
    void what_lies_behind_a_failed_one_does_not_go() {
        assertThat(streams.enter(parcel("a", 1), NOW)).isTrue();
        streams.leave(parcel("a", 1));
        assertThat(streams.breakAt(parcel("a", 1), NOW + 100, NOW)).isFalse();
        assertThat(streams.enter(parcel("a", 2), NOW + 99)).isFalse();
        assertThat(streams.enter(parcel("b", 2), NOW)).isTrue();
        assertThat(streams.enter(parcel(null, 3), NOW)).isTrue();
    }

    @Test
    void it_goes_when_the_failed_one_has_come_again() {
        streams.breakAt(parcel("a", 1), NOW + 100, NOW);
        assertThat(streams.enter(parcel("a", 1), NOW)).isTrue();
        assertThat(streams.enter(parcel("a", 2), NOW)).isTrue();
    }

    @Test
    void it_goes_when_the_relay_must_have_heard() {
        streams.breakAt(parcel("a", 1), NOW + 100, NOW);
        assertThat(streams.enter(parcel("a", 2), NOW + 100)).isTrue();
    }

    @Test
    void each_one_that_was_given_back_holds_those_behind_it() {
        streams.breakAt(parcel("a", 1), NOW + 100, NOW);
        streams.breakAt(parcel("a", 2), NOW + 100, NOW);
        assertThat(streams.enter(parcel("a", 1), NOW)).isTrue();
        assertThat(streams.enter(parcel("a", 3), NOW)).isFalse();
        assertThat(streams.enter(parcel("a", 2), NOW)).isTrue();
        assertThat(streams.enter(parcel("a", 3), NOW)).isTrue();
    }

    @Test
    void later_ones_with_the_producer_are_told_from_earlier_ones() {
        streams.enter(parcel("a", 1), NOW);
        streams.enter(parcel("a", 2), NOW);
        streams.enter(parcel("a", 3), NOW);
        streams.leave(parcel("a", 3));
        assertThat(streams.breakAt(parcel("a", 3), NOW + 100, NOW)).isFalse();
        streams.leave(parcel("a", 1));
        assertThat(streams.breakAt(parcel("a", 1), NOW + 100, NOW)).isTrue();
    }
}
