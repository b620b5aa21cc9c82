package dev.postroom.testkit.simulation;

import java.time.Duration;
import java.util.List;

/** Makes the faults happen that are events; those that are mere bad luck happen where they belong. */
final class Chaos {
    private final World world;
    private final OperatorActions operators;
    private final Dice dice;

    Chaos(World world, OperatorActions operators) {
        this.world = world;
        this.operators = operators;
        this.dice = world.newDice();
    }

    /** Plans the faults of the active time. */
    void begin() {
        plan(Fault.CRASH, 4, this::crash);
        plan(Fault.PAUSE, 3, () -> pause(false));
        plan(Fault.SLEEP, 3, () -> pause(true));
        plan(Fault.WALL_CLOCK, 4, this::setWallClock);
        plan(Fault.DATABASE_CLOCK, 3, this::setDatabaseClock);
        plan(Fault.DATABASE_OUTAGE, 2, this::databaseOutage);
        plan(Fault.DATABASE_TROUBLE, 2, this::databaseTrouble);
        plan(Fault.DESTINATION_OUTAGE, 3, this::destinationOutage);
        plan(Fault.TOPIC_OUTAGE, 3, this::topicOutage);
        plan(Fault.BLACK_HOLE, 2, this::blackHole);
        plan(Fault.FAILING_DESTINATION, 2, this::failEverything);
        plan(Fault.DATABASE_RESTART, 2, () -> databaseEnds(false));
        plan(Fault.FAILOVER, 2, () -> databaseEnds(true));
        plan(Fault.RESTORED_ROWS, 3, () -> restore(false));
        plan(Fault.FOREIGN_TRANSACTIONS, 3, () -> restore(true));
        plan(Fault.REPLAY, 8, operators::replay);
        plan(Fault.OPERATOR, 25, operators::act);
        plan(Fault.OPERATOR_PAUSE, 4, operators::pause);
        plan(Fault.JOIN_AND_LEAVE, 4, this::leave);
        plan(Fault.DEPLOYMENT, 8, this::deploy);
        if (world.options.outage() != null) {
            world.timeline.at(world.scenario.activeNanos() / 100, this::everythingAway);
        }
    }

    /** Each destination in its own way, until faults end. */
    private void everythingAway() {
        world.network.destination("broker").setUnavailable(true);
        world.network.destination("audit").setSilent(true);
        Scenario.TOPICS.forEach(topic -> world.network.destination("hook").setTopicUnavailable(topic, true));
        world.ledger.note("all destinations are away");
    }

    private void plan(Fault fault, int most, Runnable what) {
        int times = dice.between(1, most);
        Dice own = dice.split();
        for (int i = 0; i < times; i++) {
            world.timeline.at((long) (own.share() * world.scenario.activeNanos()), () -> {
                if (world.suffers(fault)) {
                    what.run();
                }
            });
        }
    }

    private void crash() {
        List<RelayProcess> running = world.fleet.running();
        if (!running.isEmpty()) {
            RelayProcess relay = dice.pick(running);
            relay.crash("kill -9");
            world.fleet.startLater(relay.node(), leases(0, 2));
        }
    }

    private void pause(boolean asleep) {
        List<RelayProcess> running =
                world.fleet.running().stream().filter(RelayProcess::isRunning).toList();
        if (!running.isEmpty()) {
            RelayProcess relay = dice.pick(running);
            // A machine whose clock is set while it sleeps cannot know that it slept: not both on one machine.
            boolean clockIsSet =
                    world.scenario.has(Fault.WALL_CLOCK) && relay.node().number() % 2 == 0;
            if (!asleep || !clockIsSet) {
                relay.pause(asleep, leases(0.05, 3));
            }
        }
    }

    private void setWallClock() {
        List<Node> nodes = world.fleet.nodes().stream()
                .filter(node -> !world.scenario.has(Fault.SLEEP) || node.number() % 2 == 0)
                .toList();
        Node node = dice.pick(nodes);
        long millis = dice.millis(1, dice.chance(0.3) ? 3_600_000 : 10_000) / Dice.MILLI * (dice.chance(0.5) ? 1 : -1);
        node.setWallClock(millis);
        world.ledger.note("node " + node.number() + " sets its clock by " + millis + " ms");
        world.fleet.running().stream().filter(relay -> relay.node() == node).forEach(RelayProcess::trouble);
    }

    private void setDatabaseClock() {
        boolean forward = dice.chance(0.6);
        long millis = dice.millis(1, forward ? 600_000 : 10_000) / Dice.MILLI * (forward ? 1 : -1);
        world.database.clock().jump(Duration.ofMillis(millis));
        world.ledger.note("the database sets its clock by " + millis + " ms");
    }

    private void databaseOutage() {
        world.setDatabaseDown(true);
        world.timeline.after(leases(0.1, 2.5), () -> world.setDatabaseDown(false));
    }

    private void databaseTrouble() {
        world.setRecordingNothing(true);
        world.timeline.after(leases(0.1, 2.5), () -> world.setRecordingNothing(false));
    }

    private void destinationOutage() {
        SimulatedDestination destination = world.network.destination(dice.pick(Scenario.DESTINATIONS));
        destination.setUnavailable(true);
        world.ledger.note(destination.name() + " is unavailable");
        world.timeline.after(dice.millis(10, 15_000), () -> destination.setUnavailable(false));
    }

    private void topicOutage() {
        SimulatedDestination destination = world.network.destination(dice.pick(Scenario.DESTINATIONS));
        String topic = dice.pick(Scenario.TOPICS);
        destination.setTopicUnavailable(topic, true);
        world.ledger.note(destination.name() + " does not take " + topic);
        world.timeline.after(dice.millis(10, 15_000), () -> destination.setTopicUnavailable(topic, false));
    }

    private void blackHole() {
        SimulatedDestination destination = world.network.destination(dice.pick(Scenario.DESTINATIONS));
        destination.setSilent(true);
        world.ledger.note(destination.name() + " is silent");
        world.timeline.after(dice.millis(10, 15_000), () -> destination.setSilent(false));
    }

    /** The same server starts again, or another one takes over that lacks the latest commits. */
    private void databaseEnds(boolean elsewhere) {
        if (elsewhere && world.isBroken(BrokenVariant.FAILOVER_UNNOTICED)) {
            world.fleet.running().forEach(RelayProcess::trouble);
            world.database.failOver(dice.millis(0, 2_000));
            return;
        }
        world.setDatabaseDown(true);
        world.fleet.breakConnections();
        world.timeline.after(leases(0.05, 1), () -> {
            if (elsewhere) {
                world.ledger.note("another server takes over");
                world.database.failOver(dice.millis(0, 2_000));
            } else {
                world.database.restartServer();
            }
            world.fleet.breakConnections();
            world.setDatabaseDown(false);
        });
    }

    /** Rows that an operator, or logical replication, brings from elsewhere. */
    private void restore(boolean foreign) {
        if (!world.isDatabaseDown()) {
            world.restore(dice.between(1, 4), foreign, dice);
        }
    }

    private void failEverything() {
        SimulatedDestination destination = world.network.destination(dice.pick(Scenario.DESTINATIONS));
        destination.setFailing(true);
        world.ledger.note(destination.name() + " fails everything");
        world.timeline.after(dice.millis(10, 15_000), () -> destination.setFailing(false));
    }

    /** Leaves in good order if it can in time, and comes back later under another name. */
    private void leave() {
        List<RelayProcess> running = world.fleet.running();
        if (!running.isEmpty()) {
            leave(dice.pick(running));
        }
    }

    /** The node has other routes from its next start on; what runs goes, or is killed, or stays until something ends it. */
    private void deploy() {
        Node node = dice.pick(world.fleet.nodes());
        node.deploy(dice.chance(0.7) ? 1 : 0);
        world.ledger.note("node " + node.number() + " gets version " + node.version());
        for (RelayProcess relay : List.copyOf(world.fleet.running())) {
            if (relay.node() == node) {
                leave(relay);
            }
        }
    }

    private void leave(RelayProcess relay) {
        relay.stop();
        world.timeline.after(dice.millis(1_000, 10_000), () -> {
            relay.crash("did not stop in time");
            world.fleet.startLater(relay.node(), leases(0, 2));
        });
    }

    private long leases(double least, double most) {
        return (long) (world.scenario.leaseNanos() * (least + dice.share() * (most - least)));
    }

    /** Ends all faults: what is away comes back, what was stopped runs again. */
    void end() {
        world.becomeQuiet();
        recoverDestinations();
        if (world.scenario.has(Fault.DEPLOYMENT) && dice.chance(0.3)) {
            rollBack();
        }
        world.fleet.startAll();
    }

    void recoverDestinations() {
        Scenario.DESTINATIONS.forEach(name -> world.network.destination(name).recover());
        operators.resumeAll();
    }

    /** The last of the newer version goes, and who stood by has to deliver the rest. */
    private void rollBack() {
        world.ledger.note("all nodes get version 0");
        world.fleet.nodes().forEach(node -> node.deploy(0));
        for (RelayProcess relay : List.copyOf(world.fleet.running())) {
            if (relay.version() > 0) {
                leave(relay);
            }
        }
    }
}
