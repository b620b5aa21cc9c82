package dev.postroom.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postroom.Message;
import dev.postroom.Published;
import dev.postroom.spi.StoredMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Writers that take turns on a stream are read in that order, whatever other transactions are open, commit late or roll
 * back around them. Steps are chosen at random; a failure names its seed.
 */
@Tag("R22")
@Tag("R33")
@Tag("I3")
public abstract class SerialisedWritersContract extends StoreContract {
    private static final List<String> TOPICS = List.of("orders", "bills", "reminders");
    private static final int STREAMS = 12;
    private static final int STEPS = 250;
    /** The sweep finds the last of them. */
    private static final int MOST_READS = 1_000;

    @Test
    void every_stream_is_read_in_the_order_it_was_written_whatever_its_topics() {
        for (long seed = 1; seed <= 4; seed++) {
            store.clear();
            ReferenceReader reader = reader().limitPerLane(1 + (int) seed % 3).lateLimit(seed > 2 ? 100 : 2);
            new Run(seed, reader).play();
            assertThat(reader.restarts()).isZero();
        }
    }

    private final class Run {
        private final Random random;
        private final String name;
        private final Map<Tx, Map<String, List<UUID>>> open = new LinkedHashMap<>();
        private final Set<String> free = new TreeSet<>();
        private final Map<String, List<UUID>> committed = new TreeMap<>();
        private final Map<String, List<UUID>> delivered = new TreeMap<>();
        private final ReferenceReader reader;
        private final TestRelay relay = relay("r" + UUID.randomUUID());
        private final List<StoredMessage> unsettled = new ArrayList<>();

        Run(long seed, ReferenceReader reader) {
            this.reader = reader;
            random = new Random(seed);
            name = "seed " + seed;
            for (int i = 0; i < STREAMS; i++) {
                free.add("k" + i);
            }
        }

        void play() {
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(10)) {
                    case 0, 1 -> beginOne();
                    case 2, 3, 4 -> publishOne();
                    case 5, 6 -> end(random.nextInt(4) > 0);
                    case 7, 8 -> readOnce();
                    default -> settleSome();
                }
            }
            while (!open.isEmpty()) {
                end(true);
            }
            for (int reads = 0; reads < MOST_READS && size(delivered) < size(committed); reads++) {
                readOnce();
            }
            readOnce();
            assertThat(delivered).as(name).isEqualTo(committed);
            assertThat(committed).as(name).hasSizeGreaterThan(STREAMS / 2);
        }

        private static int size(Map<String, List<UUID>> streams) {
            return streams.values().stream().mapToInt(List::size).sum();
        }

        /** A transaction that has up to three streams to itself until it ends. */
        private void beginOne() {
            if (open.size() < 6 && !free.isEmpty()) {
                Map<String, List<UUID>> mine = new LinkedHashMap<>();
                for (int i = 0; i <= random.nextInt(3) && !free.isEmpty(); i++) {
                    String key = List.copyOf(free).get(random.nextInt(free.size()));
                    free.remove(key);
                    mine.put(key, new ArrayList<>());
                }
                open.put(begin(), mine);
            }
        }

        private void publishOne() {
            if (!open.isEmpty()) {
                Tx tx = someOpen();
                Map<String, List<UUID>> mine = Objects.requireNonNull(open.get(tx));
                String key = List.copyOf(mine.keySet()).get(random.nextInt(mine.size()));
                Published published = tx.publish(
                        Message.to(TOPICS.get(random.nextInt(TOPICS.size()))).key(key));
                Objects.requireNonNull(mine.get(key)).add(published.id());
            }
        }

        private void end(boolean commit) {
            if (!open.isEmpty()) {
                Tx tx = someOpen();
                Map<String, List<UUID>> mine = Objects.requireNonNull(open.remove(tx));
                if (commit) {
                    tx.commit();
                    mine.forEach((key, ids) -> {
                        if (!ids.isEmpty()) {
                            committed
                                    .computeIfAbsent(key, any -> new ArrayList<>())
                                    .addAll(ids);
                        }
                    });
                }
                tx.close();
                free.addAll(mine.keySet());
            }
        }

        private Tx someOpen() {
            return List.copyOf(open.keySet()).get(random.nextInt(open.size()));
        }

        private void readOnce() {
            deliver(reader.read());
        }

        private void deliver(List<StoredMessage> rows) {
            for (StoredMessage row : rows) {
                delivered
                        .computeIfAbsent(String.valueOf(row.stream().key()), any -> new ArrayList<>())
                        .add(row.key().id());
            }
            unsettled.addAll(rows);
        }

        private void settleSome() {
            List<StoredMessage> some = List.copyOf(unsettled.subList(0, unsettled.size() / 2));
            relay.succeed(some.toArray(StoredMessage[]::new));
            reader.forget(some);
            unsettled.removeAll(some);
        }
    }
}
