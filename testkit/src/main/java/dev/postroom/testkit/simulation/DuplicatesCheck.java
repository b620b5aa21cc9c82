package dev.postroom.testkit.simulation;

import java.util.Comparator;
import java.util.List;

/**
 * I6: what arrives twice was sent again after an answer that left it open, or by an operator's wish, or the relay that
 * sent it before had a fault: it crashed, stood still, had its clock set, or its database failed it. What the database
 * refuses to record in every form is known to the relay only that delivered it.
 */
final class DuplicatesCheck implements Watcher {
    private final World world;

    DuplicatesCheck(World world) {
        this.world = world;
    }

    @Override
    public void arrived(Sending sending) {
        MessageStory story = sending.story;
        List<Sending> arrivals = story.arrivals(sending.destination);
        if (arrivals.size() == 1) {
            return;
        }
        List<Sending> bySending = arrivals.stream()
                .sorted(Comparator.comparingLong(one -> one.at))
                .toList();
        for (int i = 1; i < bySending.size(); i++) {
            if (!explains(bySending.get(i - 1), bySending.get(i))) {
                throw new Violation(
                        Invariant.I6,
                        story.key,
                        "arrived twice at " + sending.destination + ", which no fault explains");
            }
        }
    }

    private boolean explains(Sending earlier, Sending later) {
        if (earlier == later) {
            return false;
        }
        boolean leftOpen = earlier.told != null && !earlier.isConfirmed();
        boolean wished = earlier.story.retriedAt >= earlier.at;
        boolean setAside = world.refusedRows.mayBeSetAside(earlier.story.key) && earlier.relay != later.relay;
        return leftOpen || wished || setAside || earlier.relay.troubledSince(earlier.at - world.scenario.leaseNanos());
    }
}
