package dev.postroom.testkit.simulation;

import dev.postroom.engine.Command;
import dev.postroom.engine.EngineListener;
import dev.postroom.engine.Event;
import dev.postroom.engine.Pipelines;
import dev.postroom.engine.Surroundings;
import dev.postroom.follow.FollowingEngine;
import dev.postroom.policy.Routes;
import dev.postroom.spi.Owing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One start of a relay: an engine, its three desks, and what can happen to a process. */
final class RelayProcess {
    /** Turns within a millisecond, beyond which an engine does not get on. */
    private static final int MOST_TICKS = 1_000;

    private final World world;
    private final Node node;
    private final String name;
    private final int version;
    private final FollowingEngine engine;
    private final Owing owing;
    private final Desk keeper;
    private final Desk reader;
    private final Desk settler;
    private final Dice dice;
    private final List<Event> mailbox = new ArrayList<>();
    private final Deque<Runnable> whenResumed = new ArrayDeque<>();
    private State state = State.RUNNING;
    private long plannedTick = -1;
    private long tickNumber;
    private long lastTrouble = -1;
    private long readSince;
    /** It was told that the database could not record what it was given, and nothing better since. */
    private boolean cannotRecord;

    private long millisecond;
    private int ticksInIt;

    private enum State {
        RUNNING,
        PAUSED,
        ENDED
    }

    RelayProcess(World world, Node node, String name) {
        this.world = world;
        this.node = node;
        this.name = name;
        this.version = node.version();
        this.dice = world.newDice();
        this.engine = new FollowingEngine(
                world.scenario.settings().ownedBy(name),
                new Surroundings(
                        world.newRoutes(version),
                        new Pipelines(world.scenario.pipelines()),
                        destination -> world.network.credit(name, destination),
                        dice.split()::share,
                        new Listener()));
        Routes routes = world.newRoutes(version);
        this.owing = (topic, only) -> only == null ? routes.routeOf(topic) : routes.knows(only) ? routes.mask(only) : 0;
        DeskWork work = new DeskWork(world, owing);
        this.keeper = new Desk(world, this, work, Event.KeeperFailed::new);
        this.reader = new Desk(world, this, work, Event.ReaderFailed::new);
        this.settler = new Desk(world, this, work, Event.SettlerFailed::new);
    }

    String name() {
        return name;
    }

    /** Which of the scenario's routes it has. */
    int version() {
        return version;
    }

    Node node() {
        return node;
    }

    FollowingEngine engine() {
        return engine;
    }

    /** Where topics go by its routes. */
    Owing owing() {
        return owing;
    }

    int inMemory() {
        return engine.inMemory();
    }

    boolean isRunning() {
        return state == State.RUNNING;
    }

    boolean hasEnded() {
        return state == State.ENDED;
    }

    void breakConnections() {
        trouble();
        keeper.breakConnection();
        reader.breakConnection();
        settler.breakConnection();
    }

    /** Something happened that may explain a duplicate. */
    void trouble() {
        lastTrouble = world.timeline.now();
    }

    /** Since when it has read from the same server without having to start over. */
    long readSince() {
        return readSince;
    }

    boolean troubledSince(long time) {
        return lastTrouble >= time;
    }

    /** Runs now, when the process goes on, or never. */
    void run(Runnable what) {
        switch (state) {
            case RUNNING -> what.run();
            case PAUSED -> whenResumed.add(what);
            case ENDED -> {}
        }
    }

    /** Puts it in the mailbox; the engine's thread takes all that is there when it comes round. */
    void tell(Event event) {
        if (state == State.ENDED) {
            return;
        }
        mailbox.add(event);
        if (mailbox.size() == 1) {
            long delay = dice.chance(0.7) ? 0 : (long) (dice.share() * Dice.MILLI);
            world.timeline.after(delay, () -> run(this::takeMail));
        }
    }

    private void takeMail() {
        List<Event> events = List.copyOf(mailbox);
        mailbox.clear();
        turn(events);
    }

    private void turn(List<Event> events) {
        for (Event event : events) {
            if (event instanceof Event.Replied replied) {
                world.network.told(this, replied);
            }
            noteRecording(event);
        }
        if (world.ledger.isTraced()) {
            world.ledger.trace(name + " <- " + events);
        }
        List<Command> commands;
        try {
            commands = engine.on(events, node.moment());
        } catch (RuntimeException e) {
            Violation violation = new Violation(Invariant.NO_EXCEPTION, null, name + " threw at " + events + ": " + e);
            violation.initCause(e);
            throw violation;
        }
        for (Command command : commands) {
            execute(command);
        }
        if (state == State.ENDED) {
            return;
        }
        world.watchers.turned(this);
        if (engine.hasStopped()) {
            world.ledger.note(name + " has stopped");
            state = State.ENDED;
        } else {
            planTick();
        }
    }

    private void noteRecording(Event event) {
        if (event instanceof Event.SettlerFailed failed) {
            cannotRecord = !failed.refused();
        } else if (event instanceof Event.BatchSettled || event instanceof Event.Suspected) {
            cannotRecord = false;
        }
    }

    /** A process that a message kills does nothing more, whatever its engine had still wanted. */
    private void execute(Command command) {
        if (state == State.ENDED) {
            return;
        }
        if (world.ledger.isTraced()) {
            world.ledger.trace(name + " -> " + command);
        }
        if (command instanceof Command.Send send) {
            if (cannotRecord) {
                throw new Violation(Invariant.NOT_SENT_IN_TROUBLE, send.key(), name + " sends it");
            }
            world.network.send(this, send);
        } else if (command instanceof Command.ForKeeper) {
            keeper.execute(command);
        } else if (command instanceof Command.ForReader) {
            if (command instanceof Command.Follow page && page.request().previous() == null) {
                readSince = world.timeline.now();
            }
            reader.execute(command);
        } else {
            settler.execute(command);
        }
    }

    private void planTick() {
        long wanted = engine.nextTurn();
        if (wanted == Long.MAX_VALUE) {
            plannedTick = -1;
            tickNumber++;
            return;
        }
        long at = Math.max(node.whenNanos(wanted), world.timeline.now() + Dice.MICRO);
        if (at != plannedTick) {
            plannedTick = at;
            long number = ++tickNumber;
            world.timeline.at(at, () -> run(() -> tick(number)));
        }
    }

    private void tick(long number) {
        if (number != tickNumber) {
            return;
        }
        plannedTick = -1;
        long now = world.timeline.now() / Dice.MILLI;
        ticksInIt = now == millisecond ? ticksInIt + 1 : 0;
        millisecond = now;
        if (ticksInIt > MOST_TICKS) {
            throw new Violation(
                    Invariant.I9, null, name + " wants a tick more than " + MOST_TICKS + " times a millisecond");
        }
        turn(List.of(new Event.Tick()));
    }

    void pause(boolean asleep, long nanos) {
        if (state != State.RUNNING) {
            return;
        }
        state = State.PAUSED;
        trouble();
        world.ledger.note(name + (asleep ? " sleeps" : " stands still") + " for " + nanos / Dice.MILLI + " ms");
        world.timeline.after(nanos, () -> {
            if (asleep) {
                node.slept(nanos);
            }
            resume();
        });
    }

    private void resume() {
        if (state != State.PAUSED) {
            return;
        }
        state = State.RUNNING;
        trouble();
        world.ledger.note(name + " goes on");
        Deque<Runnable> waiting = new ArrayDeque<>(whenResumed);
        whenResumed.clear();
        // What one of them leads to may end the process.
        waiting.forEach(this::run);
    }

    void crash(String why) {
        if (state == State.ENDED) {
            return;
        }
        trouble();
        state = State.ENDED;
        whenResumed.clear();
        world.ledger.note(name + " crashes: " + why);
    }

    /** Asks it to stop in good order. */
    void stop() {
        world.ledger.note(name + " is asked to stop");
        tell(new Event.Stop());
    }

    private final class Listener implements EngineListener {
        @Override
        public void lanes(int owned, String why) {
            if (why.endsWith("was lost")) {
                world.ledger.trace(name + " has " + owned + " lanes: " + why);
            } else {
                world.ledger.note(name + " has " + owned + " lanes: " + why);
            }
        }

        @Override
        public void breaker(
                String destination, @Nullable String topic, @Nullable String type, boolean open, String why) {
            world.ledger.note(name + (open ? " holds " : " goes on with ") + destination
                    + (topic == null ? "" : " topic " + topic) + (type == null ? "" : " type " + type) + ": " + why);
        }

        @Override
        public void databaseTrouble(String desk, String error) {
            world.ledger.note(name + ": " + desk + ": " + error);
        }
    }
}
