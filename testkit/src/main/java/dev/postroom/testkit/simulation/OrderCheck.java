package dev.postroom.testkit.simulation;

import dev.postroom.policy.OnFailure;
import dev.postroom.testkit.simulation.MessageStory.Fate;

/**
 * I3: what a destination gets of a stream for the first time comes in order of seq. Excepted are topics that go on
 * without a failing message, what an operator took out of the order, what its writer delayed, and what was committed
 * after the later one: no reader could know of it; and what left by routes that do not name the destination.
 */
final class OrderCheck implements Watcher {
    private final World world;

    OrderCheck(World world) {
        this.world = world;
    }

    @Override
    public void arrived(Sending sending) {
        MessageStory story = sending.story;
        boolean first = story.arrivals(sending.destination).size() == 1;
        if (!first
                || !story.stream.isOrdered()
                || story.released
                || world.routes.onFailure(story.stream.topic()) == OnFailure.SKIP) {
            return;
        }
        for (MessageStory earlier : world.ledger.stream(story.stream)) {
            if (earlier.key.seq() >= story.key.seq()) {
                return;
            }
            boolean owed = (earlier.settledRoute & world.destinations.mask(sending.destination)) != 0;
            if (owed && goesBefore(earlier, story) && !earlier.arrivedAt(sending.destination)) {
                throw new Violation(
                        Invariant.I3,
                        story.key,
                        earlier.key,
                        "arrived at " + sending.destination + " before " + earlier.key + " of its stream");
            }
        }
    }

    private static boolean goesBefore(MessageStory earlier, MessageStory later) {
        boolean isThere = earlier.fate == Fate.LIVE || earlier.fate == Fate.PROCESSED;
        return isThere && earlier.committedAt <= later.committedAt && !earlier.delayed && !earlier.released;
    }
}
