package dev.postroom.engine;

import static dev.postroom.engine.HandFedEngine.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.FailureReason;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler.Batch;
import dev.postroom.spi.MessageSettler.Failure;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/** An engine whose database refuses to record some outcomes for the values in them. */
abstract class RefusalTestBase {
    static final Outcome BROKEN = Outcome.failed(FailureReason.HANDLER_EXCEPTION, "it broke");

    /** With room for more than may be set aside. */
    final HandFedEngine engine = new HandFedEngine(settings -> {
        settings.maxInFlight = 4_096;
        return settings;
    });

    final Set<Long> successes = new TreeSet<>();
    final List<Failure> failures = new ArrayList<>();

    StoredMessage[] sent(long rows) {
        return sent(rows, 1, "t");
    }

    /** Rows without a key, sent to their destination. */
    StoredMessage[] sent(long rows, int lane, String topic) {
        StoredMessage[] all = LongStream.rangeClosed(1, rows)
                .mapToObj(seq -> row(lane, seq, topic, null))
                .toArray(StoredMessage[]::new);
        engine.owning(List.of(lane));
        engine.read(all);
        engine.reserve();
        engine.sent();
        return all;
    }

    void confirm(StoredMessage... rows) {
        engine.tell(Arrays.stream(rows)
                .map(row -> new Event.Replied(row.key(), "a", Outcome.confirmed()))
                .toList());
    }

    /** Settles all that it wants, as a database would that refuses what fits; says how many commands it took. */
    int settle(Predicate<Batch> refuses) {
        int commands = 0;
        engine.tick(Duration.ofMillis(5));
        while (engine.wants(Command.Settle.class)) {
            Batch batch = engine.take(Command.Settle.class).batch();
            commands++;
            assertThat(commands).as("commands, which should end").isLessThan(10_000);
            if (refuses.test(batch)) {
                engine.tell(new Event.SettlerFailed("check violated", true));
            } else {
                batch.successes().forEach(success -> successes.add(success.key().seq()));
                failures.addAll(batch.failures());
                engine.settled(batch);
            }
            engine.tick(Duration.ZERO);
        }
        return commands;
    }

    static Predicate<Batch> refusing(long seq) {
        return batch -> batch.successes().stream().anyMatch(one -> one.key().seq() == seq)
                || batch.failures().stream().anyMatch(one -> one.key().seq() == seq);
    }

    void renew() {
        engine.answer(
                Command.Beat.class,
                new Event.Beaten(List.of(new LaneStore.Lease(1, 1, false, 0, 0)), List.of(), List.of()));
    }

    /** What the relay tells about itself now. */
    String details() {
        if (engine.wants(Command.Beat.class)) {
            engine.answer(Command.Beat.class, new Event.KeeperFailed("too late"));
        }
        engine.tick(HandFedEngine.LEASE.dividedBy(3));
        return engine.answer(Command.Beat.class, new Event.KeeperFailed("later"))
                .report()
                .details();
    }
}
