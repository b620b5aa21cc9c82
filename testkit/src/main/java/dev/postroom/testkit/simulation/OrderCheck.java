package dev.postroom.testkit.simulation;

import dev.postroom.policy.OnFailure;
import dev.postroom.testkit.simulation.MessageStory.Fate;
import dev.postroom.testkit.simulation.database.Personality;
import java.util.List;

/**
 * I3: what a destination gets of a stream for the first time comes in order of seq. Excepted are messages of topics that are gone
 * on without, what an operator took out of the order, what its writer delayed, and what was committed
 * after the later one, or came back with another server that the relay did not know yet: no reader could know of it; and what
 * left by routes that do not name the destination.
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
        if (!first || !story.stream.isOrdered() || story.released) {
            return;
        }
        List<MessageStory> stream = world.ledger.stream(story.stream);
        for (MessageStory earlier : stream) {
            if (earlier.key.seq() >= story.key.seq()) {
                continue;
            }
            if (isOwed(earlier, sending)
                    && goesBefore(earlier, sending)
                    && !earlier.arrivedAt(sending.destination)
                    && !mayBeMixed(earlier, story, stream)) {
                throw new Violation(
                        Invariant.I3,
                        story.key,
                        earlier.key,
                        "arrived at " + sending.destination + " before " + earlier.key + " of its stream");
            }
        }
    }

    /** By what it left with, or by the routes of the relay that sends the other. */
    private boolean isOwed(MessageStory earlier, Sending sending) {
        long route = earlier.fate == Fate.LIVE
                ? sending.relay.owing().destinations(earlier.stream.topic(), earlier.onlyDestination)
                : earlier.settledRoute;
        return (route & world.destinations.mask(sending.destination)) != 0;
    }

    private boolean goesBefore(MessageStory earlier, Sending later) {
        boolean isThere = earlier.fate == Fate.LIVE || earlier.fate == Fate.PROCESSED;
        return isThere
                && earlier.committedAt <= later.story.committedAt
                && earlier.returnedAt <= later.readSince
                && !earlier.delayed
                && !earlier.released
                && !earlier.foreign
                && world.routes.onFailure(earlier.stream.topic()) != OnFailure.SKIP;
    }

    /**
     * Where late rows are not known, a late transaction's messages may be mixed with those of another that did not wait for it
     * (docs/guarantees.md): the later one names that other's as the nearest before it, which the relay knows, and the earlier one is left to
     * the sweep.
     */
    private boolean mayBeMixed(MessageStory earlier, MessageStory later, List<MessageStory> stream) {
        return world.scenario.personality() == Personality.PORTABLE
                && stream.stream()
                        .anyMatch(between -> between.key.seq() > earlier.key.seq()
                                && between.key.seq() < later.key.seq()
                                && between.committedAt >= 0
                                && between.committedAt < earlier.committedAt);
    }
}
