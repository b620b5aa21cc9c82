package dev.postroom.testkit.simulation;

import dev.postroom.FailureReason;
import dev.postroom.engine.Command;
import dev.postroom.engine.Event;
import dev.postroom.spi.Outcome;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The transports of all relays, the wires, and the destinations behind them. */
final class Network {
    private final World world;
    private final Dice dice;
    private final Map<String, SimulatedDestination> destinations = new TreeMap<>();

    Network(World world) {
        this.world = world;
        this.dice = world.newDice();
        for (String name : Scenario.DESTINATIONS) {
            destinations.put(name, new SimulatedDestination(name));
        }
    }

    SimulatedDestination destination(String name) {
        return Objects.requireNonNull(destinations.get(name), name);
    }

    void send(RelayProcess relay, Command.Send send) {
        MessageStory story = world.ledger.story(send.key().id());
        Sending sending = new Sending(relay, story, send.destination(), world.timeline.now());
        world.watchers.sent(sending);
        if (world.isBroken(BrokenVariant.SUCCESS_BEFORE_CONFIRM)) {
            world.timeline.after(latency(), () -> tell(sending, Outcome.confirmed()));
        }
        world.timeline.after(latency(), () -> relay.run(() -> putOnWire(sending, send)));
    }

    /** In the relay's process: whatever it has not done by its deadline must not be done any more. */
    private void putOnWire(Sending sending, Command.Send send) {
        if (sending.relay.node().nanos() - send.delivery().deadlineNanos() > 0) {
            reply(sending, Outcome.notSent("not on the wire by its deadline"), latency());
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
        world.timeline.after(way, () -> arrive(sending));
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
            world.timeline.after(dice.millis(0, 4_000), () -> world.watchers.arrived(sending));
        }
        reply(sending, timeout(), patience());
    }

    private static Outcome timeout() {
        return Outcome.failed(FailureReason.TIMEOUT, "no answer");
    }

    private void reply(Sending sending, Outcome outcome, long after) {
        if (!world.isBroken(BrokenVariant.SUCCESS_BEFORE_CONFIRM)) {
            world.timeline.after(after, () -> tell(sending, outcome));
        }
    }

    private void tell(Sending sending, Outcome outcome) {
        sending.answer = outcome;
        sending.relay.tell(new Event.Replied(sending.story.key, sending.destination, asTold(outcome)));
    }

    /** The engine takes note of the answer only now. */
    void told(RelayProcess relay, Event.Replied replied) {
        MessageStory story = world.ledger.story(replied.key().id());
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
        return outcome;
    }

    private long patience() {
        return dice.millis(50, 2 * world.scenario.leaseNanos() / Dice.MILLI);
    }

    private long latency() {
        return 50 * Dice.MICRO + (long) (dice.share() * (dice.chance(0.95) ? 3 : 60) * Dice.MILLI);
    }
}
