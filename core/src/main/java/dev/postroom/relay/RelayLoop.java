package dev.postroom.relay;

import dev.postroom.engine.Command;
import dev.postroom.engine.Engine;
import dev.postroom.engine.Event;
import dev.postroom.engine.Restart;
import dev.postroom.outbox.CommitHint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One engine's life, from its first turn to its last. Runs on one thread; anybody may stop it or wake it.
 *
 * <p>When one of its parts fails, the whole of it ends: what was on its way is not recorded, and the lanes are not given
 * back but left to their lease, so that whoever takes them over suspects what this one had reserved. Each loop has a mailbox
 * of its own, so answers of transports to a loop that ended reach nobody.
 */
final class RelayLoop implements AutoCloseable {
    static final Duration GRACE = Duration.ofSeconds(1);

    private final Mailbox mailbox = new Mailbox();
    private final AtomicReference<@Nullable RelayFailure> failure = new AtomicReference<>();
    private final RelayClock clock;
    private final RelayLog log;
    private final Listeners listeners;
    private final Duration lease;
    private final Duration silence;
    private final RelayView view;
    private final Desks desks;
    private final Switchboard board;
    private volatile boolean resting = true;
    private volatile boolean over;
    private volatile long turnBegan;
    private volatile boolean abandoned;

    RelayLoop(RelayPlan plan, RelayClock clock, RelayLog log, Listeners listeners) {
        this.clock = clock;
        this.log = log;
        this.listeners = listeners;
        this.lease = plan.template().lease();
        this.silence = plan.database().silence().plus(lease);
        Outlets outlets = new Outlets(
                plan.routing().destinations(), mailbox, plan.conduct().tracing());
        this.view = outlets.viewOf(plan.conduct().name());
        Engine engine = plan.newEngine(outlets, listeners);
        this.desks = start("postroom-relay-" + plan.conduct().name(), plan);
        this.board = new Switchboard(engine, desks, outlets, clock);
    }

    /** All of them or none: there may be no memory for one more thread. */
    private Desks start(String name, RelayPlan plan) {
        RelayDatabase database = plan.database();
        List<Desk<?>> started = new ArrayList<>();
        try {
            Desk<Command.ForKeeper> keeper = start(name + "-keeper", database.keeper());
            started.add(keeper);
            Desk<Command.ForReader> reader = start(name + "-reader", listeners.timing(database.reader(plan.owing())));
            started.add(reader);
            return new Desks(keeper, reader, start(name + "-settler", listeners.timing(database.settler())));
        } catch (Throwable e) {
            started.forEach(Desk::close);
            throw e;
        }
    }

    private <C extends Command> Desk<C> start(String name, DeskWork<C> work) {
        return DeskThread.start(name, work, mailbox, this::fail);
    }

    /** Tells in its reports that the engine before this one failed. */
    void succeeds(Restart restart) {
        board.succeeds(restart);
    }

    /** Returns when the engine has stopped, or was abandoned; throws when a part of it failed. */
    void run() throws InterruptedException {
        mailbox.belongToThisThread();
        mailbox.post(new Event.Tick());
        listeners.began(view);
        try {
            do {
                long rest = Math.min(board.restNanos(), log.restNanos(clock.nanos()));
                List<Event> events = mailbox.collect(Math.min(rest, desks.patienceNanos(silence)));
                requireWhole();
                turn(events);
            } while (!board.hasStopped() && !abandoned);
        } finally {
            over = true;
            listeners.ended();
        }
    }

    private void turn(List<Event> events) {
        turnBegan = System.nanoTime();
        resting = false;
        board.turn(events);
        log.turn(clock.nanos(), board.inMemory());
        resting = true;
    }

    private void requireWhole() {
        RelayFailure failed = failure.get();
        if (failed != null) {
            throw failed;
        }
    }

    /** Ends it, because one of its parts failed. For any thread. */
    void fail(RelayFailure cause) {
        failure.compareAndSet(null, cause);
        mailbox.nudge();
    }

    /** Whether it turns: waits for something to do, or began a turn less than a lease ago. */
    boolean isTurning() {
        return !over && failure.get() == null && (resting || System.nanoTime() - turnBegan < lease.toNanos());
    }

    void stop() {
        mailbox.post(new Event.Stop());
    }

    /** Ends without finishing anything. */
    void abandon() {
        abandoned = true;
        mailbox.nudge();
    }

    void wake(CommitHint hint) {
        mailbox.hint(hint.lane(), hint.seq());
    }

    @Override
    public void close() throws InterruptedException {
        desks.close();
        desks.awaitEnd(GRACE);
    }

    /** Whether nothing of it is left after this time: no thread, no connection. */
    boolean hasEndedWithin(Duration limit) throws InterruptedException {
        return desks.haveEndedWithin(limit);
    }
}
