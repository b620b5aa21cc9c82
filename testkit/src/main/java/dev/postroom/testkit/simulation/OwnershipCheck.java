package dev.postroom.testkit.simulation;

import org.jspecify.annotations.Nullable;

/** I5: nobody sends of a lane that is another's, or nobody's, by then. */
final class OwnershipCheck implements Watcher {
    private final World world;

    OwnershipCheck(World world) {
        this.world = world;
    }

    @Override
    public void sent(Sending sending) {
        requireOwner(sending, "sends");
    }

    /** A machine that slept in between cannot know that its deadline has passed. */
    @Override
    public void wired(Sending sending) {
        if (!world.scenario.has(Fault.SLEEP)) {
            requireOwner(sending, "puts on the wire");
        }
    }

    private void requireOwner(Sending sending, String what) {
        int lane = sending.story.key.lane();
        @Nullable String owner = world.database.owner(lane);
        if (!sending.relay.name().equals(owner)) {
            throw new Violation(
                    Invariant.I5,
                    sending.story.key,
                    sending.relay.name() + " " + what + " a message of lane " + lane + ", which is "
                            + (owner == null ? "free" : owner + "'s"));
        }
    }
}
