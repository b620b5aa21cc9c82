package dev.postroom.testkit.simulation;

import dev.postroom.FailureReason;
import dev.postroom.engine.Command;
import dev.postroom.engine.Credit;
import dev.postroom.engine.Event;
import dev.postroom.spi.Outcome;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The transports of all relays, the wires, and the destinations behind them. */
final class Network {
    private final World world;
    private final Dice dice;
    private final Pipes pipes;
    private final Edges edges;
    private final Map<String, SimulatedDestination> destinations = new TreeMap<>();

    Network(World world) {
        this.world = world;
        this.dice = world.newDice();
        this.pipes = new Pipes(world);
        this.edges = new Edges(world);
        for (String name : Scenario.DESTINATIONS) {
            destinations.put(name, new SimulatedDestination(name));
        }
    }

    /** Whether some destination cannot be reached. */
    boolean isAnyAway() {
        return destinations.values().stream().anyMatch(SimulatedDestination::isUnavailable);
    }

    SimulatedDestination destination(String name) {
        return Objects.requireNonNull(destinations.get(name), name);
    }

    /** How much a destination takes of a relay. */
    Credit credit(String relay, String destination) {
        return edges.credit(relay, destination);
    }

    void send(RelayProcess relay, Command.Send send) {
        MessageStory story = world.ledger.story(send.key());
        Sending sending = new Sending(relay, story, send.destination(), world.timeline.now());
        world.watchers.sent(sending);
        edges.enter(sending);
        if (world.isBroken(BrokenVariant.SUCCESS_BEFORE_CONFIRM)) {
            world.timeline.after(latency(), () -> tell(sending, Outcome.confirmed()));
        }
        long at = pipes.whenOnWire(sending, world.timeline.now() + latency());
        world.timeline.at(at, () -> relay.run(() -> putOnWire(sending, send)));
    }

    /** In the relay's process: whatever it has not done by its deadline must not be done any more. */
    private void putOnWire(Sending sending, Command.Send send) {
        if (sending.relay.node().nanos() - send.delivery().deadlineNanos() > 0) {
            reply(sending, Outcome.notSent("not on the wire by its deadline"), latency());
            return;
        }
        if (pipes.isBroken(sending)) {
            reply(sending, Outcome.notSent("behind one that failed"), latency());
            return;
        }
        world.watchers.wired(sending);
        MessageStory story = sending.story;
        SimulatedDestination destination = destination(sending.destination);
        if (story.script.kind() == Script.Kind.KILLS) {
            story.kills++;
            sending.relay.crash("killed by message " + story.key.seq());
            world.fleet.startLater(sending.relay.node(), dice.millis(10, 500));
        } else if (destination.isUnavailable()) {
            reply(sending, Outcome.unavailable("connection refused"), latency());
        } else if (destination.isTopicUnavailable(story.stream.topic())) {
            reply(sending, Outcome.topicUnavailable("no such topic"), latency());
        } else if (destination.isFailing()) {
            reply(sending, serverError(), latency());
        } else if (destination.isSilent()) {
            swallow(sending);
        } else {
            judge(sending);
        }
    }

    private void judge(Sending sending) {
        MessageStory story = sending.story;
        switch (story.script.kind()) {
            case REFUSED -> reply(sending, Outcome.failed(FailureReason.VALIDATION_FAILURE, "refused"), latency());
            case BREAKS_CONNECTION -> {
                if (world.isQuiet()) {
                    deliver(sending);
                } else {
                    reply(sending, Outcome.interrupted("connection reset"), latency());
                }
            }
            default -> {
                if (story.failsNow(sending.destination)) {
                    reply(sending, Outcome.failed(FailureReason.HANDLER_EXCEPTION, "not now"), latency());
                } else {
                    deliver(sending);
                }
            }
        }
    }

    private void deliver(Sending sending) {
        boolean slow = world.suffers(Fault.SLOW_DESTINATION) && dice.chance(0.2);
        long way = slow ? dice.millis(100, 5_000) : latency();
        world.timeline.at(pipes.whenThere(sending, world.timeline.now() + way), () -> arrive(sending));
        if (world.isBroken(BrokenVariant.SENT_TWICE) && dice.chance(0.05)) {
            world.timeline.after(way + latency(), () -> arrive(sending));
        }
    }

    private void arrive(Sending sending) {
        world.watchers.arrived(sending);
        if (world.suffers(Fault.LOST_CONFIRM) && dice.chance(0.05)) {
            reply(sending, timeout(), patience());
        } else {
            boolean slow = world.suffers(Fault.SLOW_DESTINATION) && dice.chance(0.1);
            reply(sending, Outcome.confirmed(), slow ? dice.millis(100, 3_000) : latency());
        }
    }

    /** Nobody answers; sometimes it arrives all the same, also after the relay has given up. */
    private void swallow(Sending sending) {
        if (dice.chance(0.3)) {
            long soonest = world.timeline.now() + dice.millis(0, 4_000);
            world.timeline.at(pipes.whenThere(sending, soonest), () -> world.watchers.arrived(sending));
        }
        reply(sending, timeout(), patience());
    }

    /** As HTTP 500 is told, or 503 with the header that says when to come again. */
    private Outcome serverError() {
        Duration retryAfter = dice.chance(0.3) ? Duration.ofMillis(dice.between(1, 8_000)) : null;
        return new Outcome.Failed(FailureReason.DEPENDENCY_FAILURE, "server error", Outcome.Scope.MESSAGE, retryAfter);
    }

    private static Outcome timeout() {
        return Outcome.failed(FailureReason.TIMEOUT, "no answer");
    }

    private void reply(Sending sending, Outcome outcome, long after) {
        if (outcome instanceof Outcome.Failed) {
            pipes.failed(sending);
        }
        if (!world.isBroken(BrokenVariant.SUCCESS_BEFORE_CONFIRM)) {
            world.timeline.after(after, () -> tell(sending, outcome));
        }
    }

    private void tell(Sending sending, Outcome outcome) {
        edges.leave(sending);
        sending.answer = outcome;
        sending.relay.tell(new Event.Replied(sending.story.key, sending.destination, asTold(outcome)));
    }

    /** The engine takes note of the answer only now. */
    void told(RelayProcess relay, Event.Replied replied) {
        MessageStory story = world.ledger.story(replied.key());
        for (Sending sending : story.sendings(replied.destination())) {
            if (sending.relay == relay && sending.answer != null && sending.told == null) {
                sending.told = sending.answer;
                sending.toldAt = world.timeline.now();
                world.watchers.told(sending);
            }
        }
    }

    /** Broken on purpose, a transport blames the message for what the destination does. */
    private Outcome asTold(Outcome outcome) {
        if (world.isBroken(BrokenVariant.ATTEMPTS_COUNTED_IN_OUTAGE) && outcome instanceof Outcome.Failed failed) {
            return new Outcome.Failed(failed.reason(), failed.error(), Outcome.Scope.MESSAGE);
        }
        if (world.isBroken(BrokenVariant.RETRY_AFTER_HIDDEN) && outcome instanceof Outcome.Failed failed) {
            return new Outcome.Failed(failed.reason(), failed.error(), failed.scope());
        }
        return outcome;
    }

    private long patience() {
        return dice.millis(50, 2 * world.scenario.leaseNanos() / Dice.MILLI);
    }

    private long latency() {
        return 50 * Dice.MICRO + (long) (dice.share() * (dice.chance(0.95) ? 3 : 60) * Dice.MILLI);
    }
}
