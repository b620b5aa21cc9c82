package dev.postroom.testkit.simulation;

import dev.postroom.operations.Pause;
import dev.postroom.spi.RowState;
import dev.postroom.testkit.simulation.database.Row;
import org.jspecify.annotations.Nullable;

/** Whether a message has come to an end, or what it still waits for. */
final class Standing {
    private final World world;

    Standing(World world) {
        this.world = world;
    }

    /** The destination that this message could go to but has not, or null. */
    @Nullable
    String openDestination(MessageStory story) {
        Row row = story.fate == MessageStory.Fate.LIVE ? world.database.find(story.key.id()) : null;
        if (row == null || row.state() == RowState.DEAD) {
            return null;
        }
        long route = world.routeNow(story.stream.topic());
        for (String destination : world.destinationsOf(route & ~row.completed())) {
            if (!isPaused(story.stream.topic(), destination) && !isHeld(row, destination)) {
                return destination;
            }
        }
        return null;
    }

    /** Behind a dead one that has not gone to this destination. */
    private boolean isHeld(Row row, String destination) {
        long mask = world.destinations.mask(destination);
        return !row.released()
                && world.database.holders(row.stream()).stream()
                        .anyMatch(holder -> holder.state() == RowState.DEAD
                                && holder.key().seq() < row.key().seq()
                                && (holder.completed() & mask) == 0);
    }

    private boolean isPaused(String topic, String destination) {
        for (Pause pause : world.database.operator().pauses()) {
            Pause.Target target = pause.target();
            if (target.equals(Pause.Target.EVERYTHING)
                    || topic.equals(target.topic())
                    || destination.equals(target.destination())) {
                return true;
            }
        }
        return false;
    }

    /** Whether nothing can be expected any more. */
    boolean allAtRest() {
        return world.ledger.stories().stream().allMatch(story -> openDestination(story) == null);
    }
}
