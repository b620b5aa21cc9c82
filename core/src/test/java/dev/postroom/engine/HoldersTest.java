package dev.postroom.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.spi.MessageReader.Holder;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Dead messages that died while other routes were in force, and what they keep later ones of their stream from. */
@Tag("R61")
@Tag("R22")
class HoldersTest {
    private static final StoredMessage HELD = held("t");
    private static final StoredMessage HELD_TWICE = held("both");

    private static StoredMessage held(String topic) {
        StoredMessage row = HandFedEngine.row(1, 5, topic, "k");
        return new StoredMessage(
                row.key(),
                row.stream(),
                row.content(),
                row.progress(),
                row.createdAt(),
                null,
                new StoredMessage.Hold(true, -1),
                null);
    }

    private static Event dead(long completed) {
        RowKey key = new RowKey(1, 2, new UUID(1, 2));
        return new Event.HoldersRead(List.of(new Holder(key, RowState.DEAD, completed, null)));
    }

    private static void await(HandFedEngine engine, Class<? extends Command> kind) {
        for (int i = 0; i < 200 && !engine.wants(kind); i++) {
            engine.tick(Duration.ofMillis(20));
            engine.idleReads();
            engine.idleReadsButDue();
        }
    }

    @Test
    void one_that_has_been_to_all_destinations_of_today_keeps_nothing_back() {
        HandFedEngine engine = new HandFedEngine().owning(List.of(1));
        engine.read(HELD_TWICE);
        await(engine, Command.FindHolders.class);
        engine.answer(Command.FindHolders.class, dead(0b111));
        engine.read(HELD_TWICE);
        engine.reserve();
        engine.assertSent("a:5", "b:5");
        assertThat(engine.wants(Command.FindHolders.class)).as("asked again").isFalse();
    }

    @Test
    void one_that_has_been_to_some_keeps_back_from_the_others() {
        HandFedEngine engine = new HandFedEngine().owning(List.of(1));
        engine.read(HELD_TWICE);
        await(engine, Command.FindHolders.class);
        engine.answer(Command.FindHolders.class, dead(0b001));
        engine.read(HELD_TWICE);
        engine.reserve();
        engine.assertSent("a:5");
    }

    @Test
    void one_that_has_been_to_the_only_destination_of_today_keeps_nothing_back() {
        HandFedEngine engine = new HandFedEngine(HandFedEngine.Settings::onlyOneDestination).owning(List.of(1));
        engine.read(HELD);
        await(engine, Command.Fetch.class);
        engine.answer(Command.Fetch.class, new Event.RowsRead(List.of(HELD)));
        await(engine, Command.FindHolders.class);
        engine.answer(Command.FindHolders.class, dead(0b11));
        engine.read(HELD);
        engine.reserve();
        engine.assertSent("a:5");
    }

    @Test
    void one_that_has_not_been_to_the_only_destination_is_asked_for_once_and_holds() {
        HandFedEngine engine = new HandFedEngine(HandFedEngine.Settings::onlyOneDestination).owning(List.of(1));
        engine.read(HELD);
        await(engine, Command.Fetch.class);
        engine.answer(Command.Fetch.class, new Event.RowsRead(List.of(HELD)));
        await(engine, Command.FindHolders.class);
        engine.answer(Command.FindHolders.class, dead(0));
        engine.read(HELD);
        engine.reserve();
        assertThat(engine.sent()).isEmpty();
        await(engine, Command.Fetch.class);
        engine.answer(Command.Fetch.class, new Event.RowsRead(List.of(HELD)));
        assertThat(engine.wants(Command.FindHolders.class)).isFalse();
    }
}
