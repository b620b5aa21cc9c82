package dev.postroom.follow;

import dev.postroom.FailureReason;
import dev.postroom.spi.Outcome;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Messages that were perhaps on their way when another relay died (R30). Before one goes, its crash is counted: if it kills
 * this process too, whoever comes next knows. Few of them go together, and the fewer the more crashes they have seen; the
 * last time each goes alone, so nothing dies for what another one did.
 */
final class Suspects {
    /** How many may be on their way together, by how many more crashes each of them may see. */
    private static final int[] TOGETHER = {1, 16, 256};

    private final int maxCrashes;
    private final Settling settling;
    private final Set<Message> group = new LinkedHashSet<>();
    private int levelOfGroup;

    Suspects(int maxCrashes, Settling settling) {
        this.maxCrashes = maxCrashes;
        this.settling = settling;
    }

    /** Whether it may be sent now; if it is its turn but it was not counted yet, it is counted first. */
    boolean mayGo(Delivery delivery) {
        Message message = delivery.message();
        if (message.isBeingCounted()) {
            return false;
        }
        if (!message.isCleared() && message.crashes() >= maxCrashes) {
            delivery.track()
                    .failed(
                            delivery,
                            new Outcome.Failed(
                                    FailureReason.POISON,
                                    "it was on its way " + message.crashes()
                                            + " times when a relay died, so it is taken for the cause",
                                    Outcome.Scope.MESSAGE));
            settling.collect(message);
            return false;
        }
        if (!join(message)) {
            return false;
        }
        if (!message.isCleared()) {
            settling.count(message);
        }
        return message.isCleared() && !message.isBeingCounted();
    }

    private boolean join(Message message) {
        if (group.contains(message)) {
            return true;
        }
        int level = level(message);
        if (!hasRoom(level)) {
            group.removeIf(other -> !isUnderWay(other));
        }
        if (!hasRoom(level)) {
            return false;
        }
        levelOfGroup = level;
        return group.add(message);
    }

    private boolean hasRoom(int level) {
        return group.isEmpty() || (level == levelOfGroup && group.size() < together(level));
    }

    /** How many crashes it had seen before this relay counted one. */
    private static int level(Message message) {
        return message.isCleared() ? message.crashes() - 1 : message.crashes();
    }

    private int together(int level) {
        int more = maxCrashes - 1 - level;
        return TOGETHER[Math.max(0, Math.min(more, TOGETHER.length - 1))];
    }

    /** Until it is settled. One that waits for something else gives its turn away, and so does one that cannot be recorded. */
    private static boolean isUnderWay(Message message) {
        boolean unsettled = message.setAside() == null && message.isAnythingUnsettled();
        return message.isInMemory() && (message.isBeingCounted() || message.isAnythingSent() || unsettled);
    }

    /** Whether others may go now, because some have been settled. */
    boolean isAnyThrough() {
        return !group.isEmpty() && group.removeIf(message -> !isUnderWay(message));
    }
}
