package dev.postroom.testkit.simulation;

import java.util.List;

/** One check per invariant. */
final class Checks {
    private Checks() {}

    static List<Watcher> of(World world) {
        return List.of(
                new DeliveryCheck(world),
                new CommitCheck(),
                new OrderCheck(world),
                new AttemptsCheck(world),
                new OwnershipCheck(world),
                new DuplicatesCheck(world),
                new SettledCheck(world),
                new OperatorCheck(world),
                new BoundsCheck(world),
                new LivenessCheck(world),
                new PlaceCheck(world),
                new RetryAfterCheck(world),
                new FailingDestinationCheck(world),
                new CostCheck(world),
                new SuspectCheck(world),
                new RoutingCheck(world));
    }
}
