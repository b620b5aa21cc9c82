package dev.postroom.engine;

import dev.postroom.FailureReason;
import dev.postroom.spi.Outcome;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Messages that were perhaps on their way when another relay died (R30). Before one goes, its crash is counted: if it kills
 * this process too, whoever comes next knows. Few of them go together, and the fewer the more crashes they have seen; the
 * last time each goes alone, so nothing dies for what another one did. Hundreds together at first, because after a crash at
 * full speed thousands are suspect and almost none of them is to blame.
 */
final class Suspects {
    /** How many may be on their way together, by how many more crashes each of them may see. */
    private static final int[] TOGETHER = {1, 16, 256};

    private final EngineState state;
    private final Settling settling;
    private final Set<Entry> group = new LinkedHashSet<>();
    private int levelOfGroup;

    Suspects(EngineState state, Settling settling) {
        this.state = state;
        this.settling = settling;
    }

    /** Whether it may be sent now; if it is its turn but it was not counted yet, it is counted first. */
    boolean mayGo(Entry entry) {
        if (entry.settling) {
            return false;
        }
        if (!entry.cleared && entry.crashes >= state.settings.maxCrashes()) {
            entry.failure = new Outcome.Failed(
                    FailureReason.POISON,
                    "it was on its way " + entry.crashes + " times when a relay died, so it is taken for the cause",
                    Outcome.Scope.MESSAGE);
            settling.fail(entry);
            return false;
        }
        if (!join(entry)) {
            return false;
        }
        if (!entry.cleared) {
            settling.suspect(entry);
        }
        return entry.cleared;
    }

    private boolean join(Entry entry) {
        if (group.contains(entry)) {
            return true;
        }
        int level = level(entry);
        if (!group.isEmpty() && (level != levelOfGroup || group.size() >= together(level))) {
            group.removeIf(other -> !isUnderWay(other));
            if (!group.isEmpty() && (level != levelOfGroup || group.size() >= together(level))) {
                return false;
            }
        }
        levelOfGroup = level;
        return group.add(entry);
    }

    /** How many crashes it had seen before this relay counted one. */
    private static int level(Entry entry) {
        return entry.cleared ? entry.crashes - 1 : entry.crashes;
    }

    private int together(int level) {
        int more = state.settings.maxCrashes() - 1 - level;
        return TOGETHER[Math.max(0, Math.min(more, TOGETHER.length - 1))];
    }

    /** Until it is settled. One that waits for something else gives its turn away. */
    private static boolean isUnderWay(Entry entry) {
        return entry.present && !entry.isForgettable() && !entry.setAside;
    }

    /** Others may go once some have been settled. */
    void turn() {
        if (!group.isEmpty() && group.removeIf(entry -> !isUnderWay(entry))) {
            for (Entry entry : state.memory.entries()) {
                if (entry.suspect) {
                    state.memory.ready.add(entry);
                }
            }
        }
    }
}
