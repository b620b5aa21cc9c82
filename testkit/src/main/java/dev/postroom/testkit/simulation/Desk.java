package dev.postroom.testkit.simulation;

import dev.postroom.engine.Command;
import dev.postroom.engine.Event;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A desk with one connection: it does one thing at a time, at some instant, and tells later. What it is asked to do may
 * fail before, or in the middle, or happen without an answer.
 */
final class Desk {
    private static final double UNLUCKY = 0.03;

    private final World world;
    private final RelayProcess relay;
    private final DeskWork work;
    private final Function<String, Event> failure;
    private final Dice dice;
    private @Nullable Command current;
    private boolean isBroken;

    Desk(World world, RelayProcess relay, DeskWork work, Function<String, Event> failure) {
        this.world = world;
        this.relay = relay;
        this.work = work;
        this.failure = failure;
        this.dice = world.newDice();
    }

    void execute(Command command) {
        if (current != null) {
            throw new Violation(
                    Invariant.I9, null, relay.name() + " wants " + command + " while " + current + " is under way");
        }
        world.watchers.commanded(relay, command);
        current = command;
        // A process that has died may have sent its statement, or not.
        boolean onItsWay = dice.chance(0.5);
        world.timeline.after(latency(), () -> {
            if (!relay.hasEnded() || onItsWay) {
                perform(command);
            }
        });
    }

    private void perform(Command command) {
        if (world.isDatabaseDown()) {
            fail("the database is down");
        } else if (world.suffers(Fault.FAILED_COMMAND) && dice.chance(UNLUCKY)) {
            if (dice.chance(0.3)) {
                work.performPart(command, dice);
            }
            fail("the statement failed");
        } else if (isBroken) {
            isBroken = false;
            fail("the connection is another server's");
        } else if (command instanceof Command.ForSettler && world.isRecordingNothing()) {
            fail("permission denied");
        } else if (world.refusedRows.refuses(command)) {
            refuse(command);
        } else if (world.suffers(Fault.LATE_COMMIT) && dice.chance(UNLUCKY)) {
            commitLater(command);
        } else if (command instanceof Command.Beat beat) {
            beat(beat);
        } else {
            answer(work.perform(command));
        }
    }

    /** Not one statement but several, between which time passes. */
    private void beat(Command.Beat beat) {
        var held = work.renew(beat);
        world.timeline.after(latency(), () -> {
            if (world.isDatabaseDown()) {
                fail("the database is down");
            } else {
                answer(work.look(beat, held));
            }
        });
    }

    private void answer(Event event) {
        if (world.suffers(Fault.LOST_REPLY) && dice.chance(UNLUCKY)) {
            fail("the connection broke before the answer came");
        } else {
            world.timeline.after(latency(), () -> tell(event));
        }
    }

    /** All connections end with their server. */
    void breakConnection() {
        isBroken = true;
    }

    private void fail(String error) {
        relay.trouble();
        long timeout = dice.chance(0.5) ? latency() : dice.millis(10, world.scenario.leaseNanos() / Dice.MILLI / 2);
        world.timeline.after(timeout, () -> {
            relay.trouble();
            tell(failure.apply(error));
        });
    }

    /** The client gives up, and does not know that the server has not. What a server had not committed when it ended, no other commits. */
    private void commitLater(Command command) {
        long server = world.database.server();
        world.timeline.after(dice.millis(1, 2 * world.scenario.leaseNanos() / Dice.MILLI), () -> {
            boolean refused = command instanceof Command.ForSettler && world.isRecordingNothing();
            boolean isThere = !world.isDatabaseDown() && world.database.server() == server;
            if (isThere && !refused && !world.refusedRows.refuses(command)) {
                world.ledger.trace(relay.name() + ": commits late: " + command);
                work.perform(command);
            }
        });
        fail("the connection timed out");
    }

    /** What is not one transaction may have been done in part. */
    private void refuse(Command command) {
        if (dice.chance(0.3)) {
            work.performPart(command, dice);
        }
        world.timeline.after(latency(), () -> tell(new Event.SettlerFailed("value out of range", true)));
    }

    private void tell(Event event) {
        current = null;
        relay.tell(event);
    }

    private long latency() {
        if (world.suffers(Fault.SLOW_DATABASE) && dice.chance(0.01)) {
            relay.trouble();
            return dice.millis(1, 3 * world.scenario.leaseNanos() / 2 / Dice.MILLI);
        }
        double luck = dice.share();
        if (luck < 0.9) {
            return 100 * Dice.MICRO + (long) (dice.share() * 2 * Dice.MILLI);
        }
        return luck < 0.99 ? dice.millis(2, 20) : dice.millis(20, 100);
    }
}
