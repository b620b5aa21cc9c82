package dev.postroom.testkit.simulation;

/** I2: nothing is sent that was not committed. */
final class CommitCheck implements Watcher {
    @Override
    public void sent(Sending sending) {
        if (sending.story.committedAt < 0) {
            throw new Violation(
                    Invariant.I2, sending.story.key, sending.relay.name() + " sends what was not committed");
        }
    }
}
