package dev.postroom.testkit.simulation;

import dev.postroom.Stream;
import dev.postroom.engine.Event;
import dev.postroom.spi.Content;
import dev.postroom.spi.RowKey;
import dev.postroom.testkit.simulation.database.KeyedStream;
import dev.postroom.testkit.simulation.database.WriterTransaction;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Applications that write messages in transactions of their own. Some streams' writers take turns, as those do that lock
 * the order they write about; others do not, and commit in another order than they drew their numbers.
 */
final class Writers {
    private static final byte[] SMALL = new byte[20];
    private static final byte[] LARGE = new byte[2_000];

    private final World world;
    private final Dice dice;
    private final Set<KeyedStream> locked = new HashSet<>();
    private long written;
    private int unfinished;

    Writers(World world) {
        this.world = world;
        this.dice = world.newDice();
    }

    /** Plans all transactions of the active time. */
    void begin() {
        for (int i = 0; i < world.scenario.transactions(); i++) {
            unfinished++;
            world.timeline.at((long) (dice.share() * world.scenario.activeNanos()), () -> new Writer().begin());
        }
    }

    /** Plans as many again, beginning now. */
    void writeOn(long nanos) {
        for (int i = 0; i < world.scenario.transactions(); i++) {
            unfinished++;
            long at = world.timeline.now() + (long) (dice.share() * nanos);
            world.timeline.at(at, () -> new Writer().begin());
        }
    }

    /** One message of each topic, of which nothing fails. */
    void writeGoodOnes() {
        WriterTransaction transaction = world.database.begin();
        for (String topic : Scenario.TOPICS) {
            if (!topic.equals("unrouted")) {
                Stream stream = new Stream("", topic, null);
                Content content = new Content(null, "text/plain", null, Map.of(), SMALL, null);
                RowKey key = transaction.insert(new UUID(0x1000L, ++written), stream, content, null);
                MessageStory story = new MessageStory(key, stream, Script.NORMAL, false);
                world.ledger.begin(story);
                world.ledger.note(story, "written");
            }
        }
        transaction.commit();
    }

    /** Whether transactions are open or still to come. */
    boolean areBusy() {
        return unfinished > 0;
    }

    /** One transaction. */
    private final class Writer {
        private final WriterTransaction transaction = world.database.begin();
        private final Set<KeyedStream> locks = new HashSet<>();
        private final boolean large = world.suffers(Fault.LARGE_TRANSACTION) && dice.chance(0.05);
        private int left = large ? dice.between(20, 50) : dice.between(1, 5);

        void begin() {
            world.timeline.after(think(), this::write);
        }

        private void write() {
            if (world.suffers(Fault.ROLLBACK) && dice.chance(0.1)) {
                undoOne();
            }
            insert();
            left--;
            long rest = large && left == 0 ? dice.millis(10, 3_000) : think();
            world.timeline.after(rest, left > 0 ? this::write : this::end);
        }

        private RowKey insert() {
            Stream stream = stream();
            UUID id = new UUID(0x1000L, ++written);
            Script script = script();
            Content content = new Content(
                    null, "text/plain", null, Map.of(), script.kind() == Script.Kind.TOO_LARGE ? LARGE : SMALL, null);
            Duration delay = dice.chance(0.1) ? Duration.ofMillis(dice.between(0, 8_000)) : null;
            RowKey key = transaction.insert(id, stream, content, delay);
            MessageStory story = new MessageStory(key, stream, script, delay != null);
            world.ledger.begin(story);
            world.ledger.note(story, "written");
            return key;
        }

        private void undoOne() {
            int savepoint = transaction.savepoint();
            RowKey undone = insert();
            transaction.rollbackTo(savepoint);
            world.database.skipSeq();
            wake(undone);
        }

        private Stream stream() {
            String topic = dice.pick(Scenario.TOPICS);
            if (topic.equals("unrouted") && dice.chance(0.7)) {
                topic = "clicks";
            }
            Stream stream = new Stream(tenant(), topic, key());
            if (takesTurns(stream)) {
                if (!locks.contains(KeyedStream.of(stream)) && locked.contains(KeyedStream.of(stream))) {
                    return new Stream(stream.tenant(), topic, dice.chance(0.5) ? null : "free " + dice.between(1, 2));
                }
                locks.add(KeyedStream.of(stream));
                locked.add(KeyedStream.of(stream));
            }
            return stream;
        }

        private String tenant() {
            return dice.chance(0.7) ? "" : dice.pick(List.of("acme", "globex"));
        }

        private @Nullable String key() {
            double luck = dice.share();
            if (luck < 0.25) {
                return null;
            }
            return (luck < 0.7 ? "turns " : "free ") + dice.between(1, 3);
        }

        private void end() {
            locks.forEach(locked::remove);
            unfinished--;
            boolean fails = world.isDatabaseDown() || (world.suffers(Fault.ROLLBACK) && dice.chance(0.2));
            if (fails) {
                transaction.rollback();
                return;
            }
            List<RowKey> keys = transaction.commit();
            if (dice.chance(0.7)) {
                keys.forEach(this::wake);
            }
        }

        /** A hint to some relay, the one in the same process as the writer. */
        private void wake(RowKey key) {
            List<RelayProcess> relays = world.fleet.running();
            if (!relays.isEmpty()) {
                RelayProcess relay = dice.pick(relays);
                Event hint = dice.chance(0.8) ? new Event.Woken(key.lane(), key.seq()) : new Event.Woken(0, 0);
                world.timeline.after(dice.millis(0, 1), () -> relay.tell(hint));
            }
        }

        private long think() {
            boolean slow = world.suffers(Fault.LONG_WRITERS) && dice.chance(0.1);
            return slow ? dice.millis(500, 10_000) : dice.millis(0, 5);
        }
    }

    static boolean takesTurns(Stream stream) {
        return stream.key() != null && stream.key().startsWith("turns");
    }

    private Script script() {
        if (world.suffers(Fault.KILLER_MESSAGE) && dice.chance(0.01)) {
            return new Script(Script.Kind.KILLS, 0);
        }
        if (world.suffers(Fault.BREAKING_MESSAGE) && dice.chance(0.03)) {
            return new Script(Script.Kind.BREAKS_CONNECTION, 0);
        }
        if (world.suffers(Fault.FAILING_MESSAGE) && dice.chance(0.15)) {
            Script.Kind kind = dice.pick(
                    List.of(Script.Kind.FAILS, Script.Kind.FAILS, Script.Kind.REFUSED, Script.Kind.TOO_LARGE));
            return new Script(kind, dice.between(1, 5));
        }
        return Script.NORMAL;
    }
}
