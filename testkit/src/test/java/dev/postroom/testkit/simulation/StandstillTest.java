package dev.postroom.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Stream;
import dev.postroom.spi.Content;
import dev.postroom.spi.MessageSettler.Batch;
import dev.postroom.spi.MessageSettler.Success;
import dev.postroom.spi.RowKey;
import dev.postroom.testkit.simulation.database.WriterTransaction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A message may wait while a topic is paused only behind one that the relay which has the lane may have left there. */
class StandstillTest {
    private final World world = new World(1, SimulationOptions.DEFAULT.allOf(EnumSet.noneOf(Fault.class)), null);
    private final RelayProcess before =
            new RelayProcess(world, world.fleet.nodes().get(0), "before");
    private final MessageStory created = write("orders.created");
    private final MessageStory paid = write("orders.paid");
    private final Standstill paused = LongStream.range(0, 1_000)
            .mapToObj(seed -> new Standstill(world, new Dice(seed)))
            .filter(standstill -> standstill.toString().equals("orders.created is paused"))
            .findFirst()
            .orElseThrow();

    @Test
    void one_that_a_relay_recorded_after_it_had_lost_the_lane_keeps_later_ones_of_its_stream() {
        arrived();
        owned("after");
        paused.begin();
        recorded();
        assertThat(paused.keeps(paid, "broker")).isTrue();
    }

    @Test
    void one_that_was_recorded_before_keeps_nothing() {
        arrived();
        owned("after");
        recorded();
        paused.begin();
        assertThat(paused.keeps(paid, "broker")).isFalse();
    }

    @Test
    void one_that_was_recorded_by_whoever_has_the_lane_keeps_nothing() {
        arrived();
        owned("before");
        paused.begin();
        recorded();
        assertThat(paused.keeps(paid, "broker")).isFalse();
    }

    private MessageStory write(String topic) {
        Stream stream = new Stream("", topic, "key");
        Content content = new Content(null, "text/plain", null, Map.of(), new byte[20], null);
        WriterTransaction transaction = world.database.begin();
        RowKey key = transaction.insert(
                UUID.nameUUIDFromBytes(topic.getBytes(StandardCharsets.UTF_8)), stream, content, null);
        MessageStory story = new MessageStory(key, stream, Script.NORMAL, false);
        world.ledger.begin(story);
        transaction.commit();
        return story;
    }

    private void arrived() {
        Sending sending = new Sending(before, created, "broker", 0);
        created.sent(sending);
        created.arrived(sending);
    }

    private void owned(String relay) {
        world.database.lanes().acquire(relay, List.of(created.key.lane()), Duration.ofMinutes(1));
    }

    private void recorded() {
        Success success = new Success(created.key, world.destinations.mask("broker"), -1);
        world.database.settler().settle(new Batch("before", List.of(success), List.of(), false, List.of()));
    }
}
