package dev.postroom.testkit.simulation;

import dev.postroom.testkit.simulation.database.Row;

/** I10: when faults have ended for long enough, nothing is left that could still be sent; no message kills for ever. */
final class LivenessCheck implements Watcher {
    private final World world;
    private final Standing standing;

    LivenessCheck(World world) {
        this.world = world;
        this.standing = new Standing(world);
    }

    @Override
    public void ended() {
        for (MessageStory story : world.ledger.stories()) {
            String destination = standing.openDestination(story);
            if (destination != null) {
                Row row = world.database.find(story.key);
                throw new Violation(
                        Invariant.I10,
                        story.key,
                        "could go to " + destination + " and did not: " + row
                                + standing.whereabouts(story, destination));
            }
        }
    }
}
