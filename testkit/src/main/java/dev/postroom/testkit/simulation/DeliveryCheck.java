package dev.postroom.testkit.simulation;

import dev.postroom.spi.RowState;
import dev.postroom.testkit.simulation.MessageStory.Fate;
import dev.postroom.testkit.simulation.database.Row;

/** I1: nothing gets lost. A row leaves only after each destination of its route has the message. */
final class DeliveryCheck implements Watcher {
    private final World world;

    DeliveryCheck(World world) {
        this.world = world;
    }

    @Override
    public void processed(Row row, String owner) {
        MessageStory story = world.ledger.story(row.key());
        String only = row.onlyDestination();
        story.settledRoute = only == null
                ? world.newRoutes(world.fleet.version(owner)).routeOf(story.stream.topic())
                : world.destinations.mask(only);
        requireArrived(story, "settled by " + owner);
    }

    @Override
    public void ended() {
        for (MessageStory story : world.ledger.stories()) {
            if (story.fate == Fate.LIVE) {
                Row row = world.database.find(story.key);
                if (row == null) {
                    throw new Violation(Invariant.I1, story.key, "a committed message is gone");
                }
                if (row.state() == RowState.DEAD && row.reason() == null) {
                    throw new Violation(Invariant.I1, story.key, "a message is dead without a reason");
                }
            }
        }
    }

    private void requireArrived(MessageStory story, String how) {
        for (String destination : world.destinationsOf(story.settledRoute)) {
            if (!story.arrivedAt(destination)) {
                throw new Violation(Invariant.I1, story.key, how + " though " + destination + " never got it");
            }
        }
    }
}
