package dev.postroom.testkit.simulation;

/** I7: a relay that was told that a destination has a message does not send it there again, unless it had a fault. */
final class SettledCheck implements Watcher {
    private final World world;

    SettledCheck(World world) {
        this.world = world;
    }

    @Override
    public void sent(Sending sending) {
        for (Sending before : sending.story.sendings(sending.destination)) {
            if (before != sending
                    && before.relay == sending.relay
                    && before.isConfirmed()
                    && !sending.relay.troubledSince(before.at - world.scenario.leaseNanos())) {
                throw new Violation(
                        Invariant.I7,
                        sending.story.key,
                        sending.relay.name() + " sends to " + sending.destination + " what was confirmed at "
                                + Ledger.time(before.toldAt));
            }
        }
    }
}
