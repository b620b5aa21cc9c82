package dev.postroom.testkit.simulation;

import dev.postroom.spi.MessageSettler.Suspect;
import dev.postroom.spi.RowKey;
import dev.postroom.testkit.simulation.database.Row;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * R30: of the messages that may kill the process, those with a last chance go alone. If two of them were on their way, both
 * would be counted when the process dies, and an innocent one would die for it. The others go in groups that have seen
 * equally many crashes.
 */
final class SuspectCheck implements Watcher {
    private static final int MOST_TOGETHER = 256;

    private final World world;
    /** Whose crash was counted, and by whom. */
    private final Map<RowKey, String> countedBy = new HashMap<>();

    private final Map<UUID, Integer> counts = new HashMap<>();
    /** Per relay: suspects on their way, with how many answers are awaited. */
    private final Map<String, Map<MessageStory, Integer>> underWay = new HashMap<>();

    SuspectCheck(World world) {
        this.world = world;
    }

    @Override
    public void suspected(Row row, Suspect suspect, String owner) {
        UUID id = row.key().id();
        int before = row.crashes(); // an operator may have set it back
        counts.put(id, suspect.crashes());
        if (suspect.crashes() > before) {
            countedBy.put(row.key(), owner);
        } else {
            // It did no harm.
            if (!owner.equals(countedBy.remove(row.key()))) {
                throw new Violation(
                        Invariant.COUNTED_ONCE,
                        row.key(),
                        owner + " takes back a crash of it, from " + before + " to " + suspect.crashes());
            }
        }
    }

    @Override
    public void sent(Sending sending) {
        String relay = sending.relay.name();
        MessageStory story = sending.story;
        if (!relay.equals(countedBy.get(story.key))) {
            return;
        }
        Map<MessageStory, Integer> own = underWay.computeIfAbsent(relay, name -> new HashMap<>());
        own.merge(story, 1, Integer::sum);
        Set<MessageStory> others = new HashSet<>(own.keySet());
        others.remove(story);
        int crashes = counts.getOrDefault(story.key.id(), 0);
        boolean alone = crashes >= world.scenario.settings().maxCrashes();
        for (MessageStory other : others) {
            if (alone || counts.getOrDefault(other.key.id(), 0) != crashes || own.size() > MOST_TOGETHER) {
                throw new Violation(
                        Invariant.LAST_ALONE,
                        story.key,
                        other.key,
                        relay + " sends it while it awaits an answer about " + other.key);
            }
        }
    }

    @Override
    public void told(Sending sending) {
        underWay.getOrDefault(sending.relay.name(), new HashMap<>())
                .computeIfPresent(sending.story, (story, awaited) -> awaited == 1 ? null : awaited - 1);
    }

    /** Whatever is still on its way of it is a duplicate, and nothing is left to blame. */
    @Override
    public void processed(Row row, String owner) {
        forget(row);
    }

    private void forget(Row row) {
        underWay.values().forEach(stories -> stories.keySet().removeIf(story -> story.key.equals(row.key())));
    }

    @Override
    public void lost(Row row) {
        forget(row);
    }

    /** What the server that took over does not know to be counted is nobody's suspect there. */
    @Override
    public void reverted(Row row) {
        forget(row);
        if (row.crashes() != counts.getOrDefault(row.key().id(), 0)) {
            countedBy.remove(row.key());
        }
        counts.put(row.key().id(), row.crashes());
    }

    @Override
    public void returned(Row row) {
        reverted(row);
    }

    /** What is on its way when its lane is lost is nobody's suspect any more. */
    @Override
    public void acquired(int lane, String owner, @Nullable String before) {
        underWay.values().forEach(stories -> stories.keySet().removeIf(story -> story.key.lane() == lane));
        countedBy.keySet().removeIf(key -> key.lane() == lane);
    }
}
