package dev.postroom.testkit.simulation;

import dev.postroom.engine.Locating.Whereabouts;
import dev.postroom.operations.Pause;
import dev.postroom.spi.RowState;
import dev.postroom.testkit.simulation.database.Row;
import org.jspecify.annotations.Nullable;

/** Whether a message has come to an end, or what it still waits for. */
final class Standing {
    /** Fewer streams than there are in a scenario. */
    private static final int FEW = 100;

    private final World world;

    Standing(World world) {
        this.world = world;
    }

    /** The destination that this message could go to but has not, or null. */
    @Nullable
    String openDestination(MessageStory story) {
        Row row = story.fate == MessageStory.Fate.LIVE ? world.database.find(story.key) : null;
        if (row == null || row.state() == RowState.DEAD) {
            return null;
        }
        long route = world.routeNow(row);
        for (String destination : world.destinationsOf(route & ~row.completed())) {
            if (!isPaused(story.stream.topic(), destination)
                    && !isHeld(row, destination)
                    && !areTooManyHeld(destination)) {
                return destination;
            }
        }
        return null;
    }

    /** Behind a dead one that has not gone to this destination, of its stream or of one that has the same id by chance. */
    private boolean isHeld(Row row, String destination) {
        long mask = world.destinations.mask(destination);
        long stream = world.database.streamId(row.stream());
        return !row.released()
                && row.stream().isOrdered()
                && world.database.unsorted().stream()
                        .anyMatch(holder -> holder.state() == RowState.DEAD
                                && holder.isHolder()
                                && world.database.streamId(holder.stream()) == stream
                                && holder.key().seq() < row.key().seq()
                                && (holder.completed() & mask) == 0
                                && (world.routeNow(holder) & mask) != 0);
    }

    /** More streams are blocked than relays remember: what comes next waits for these, whatever its own stream is. */
    private boolean areTooManyHeld(String destination) {
        int remembered = world.scenario.settings().bounds().behindStreams() / Scenario.DESTINATIONS.size();
        long mask = world.destinations.mask(destination);
        return remembered < FEW
                && world.database.unsorted().stream()
                                .filter(row -> row.state() == RowState.DEAD
                                        && row.stream().isOrdered()
                                        && !row.released()
                                        && (world.routeNow(row) & ~row.completed() & mask) != 0)
                                .map(row -> row.key().lane() + " " + world.database.streamId(row.stream()))
                                .distinct()
                                .count()
                        >= Math.max(1, remembered);
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

    /** The destination that this message could go to although one thing stays away, or null. */
    @Nullable
    String openDestination(MessageStory story, Standstill standstill) {
        Row row = story.fate == MessageStory.Fate.LIVE ? world.database.find(story.key) : null;
        if (row == null || row.state() == RowState.DEAD) {
            return null;
        }
        for (String destination : world.destinationsOf(world.routeNow(row) & ~row.completed())) {
            if (!isPaused(story.stream.topic(), destination)
                    && !isHeld(row, destination)
                    && !areTooManyHeld(destination)
                    && !standstill.keeps(story, destination)) {
                return destination;
            }
        }
        return null;
    }

    /** Where relays have a message. */
    String whereabouts(MessageStory story, String destination) {
        Row row = world.database.find(story.key);
        StringBuilder text = new StringBuilder();
        for (RelayProcess relay : world.fleet.running()) {
            if (row != null) {
                Whereabouts where = relay.engine().whereIs(world.database.asRead(row, relay.owing()), destination);
                text.append(where == Whereabouts.NOT_OURS ? "" : ", at " + relay.name() + " " + where);
            }
        }
        return text.toString();
    }

    /** Whether nothing can be expected any more. */
    boolean allAtRest() {
        return world.ledger.stories().stream().allMatch(story -> openDestination(story) == null);
    }
}
