package dev.postroom.relay;

import dev.postroom.engine.Event;
import dev.postroom.outbox.CommitHint;
import java.time.Duration;

/** One engine's life, from its first turn to its last. Runs on one thread; anybody may stop it or wake it. */
final class RelayLoop implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final Mailbox mailbox = new Mailbox();
    private final RelayClock clock;
    private final RelayLog log;
    private final Listeners listeners;
    private final RelayView view;
    private final Desks desks;
    private final Switchboard board;
    private volatile boolean abandoned;

    RelayLoop(RelayPlan plan, RelayClock clock, RelayLog log) {
        this.clock = clock;
        this.log = log;
        String name = "postroom-relay-" + plan.conduct().name();
        this.listeners = new Listeners(log, plan.conduct().listeners());
        RelayDatabase database = plan.database();
        this.desks = new Desks(
                DeskThread.start(name + "-keeper", database.keeper(), mailbox),
                DeskThread.start(name + "-reader", listeners.timing(database.reader()), mailbox),
                DeskThread.start(name + "-settler", listeners.timing(database.settler()), mailbox));
        Outlets outlets = new Outlets(
                plan.routing().destinations(), mailbox, plan.conduct().tracing());
        this.view = outlets.viewOf(plan.conduct().name());
        this.board = new Switchboard(plan.newEngine(listeners), desks, outlets, clock);
    }

    /** Returns when the engine has stopped, or was abandoned. */
    void run() throws InterruptedException {
        mailbox.belongToThisThread();
        mailbox.post(new Event.Tick());
        listeners.began(view);
        try {
            do {
                long rest = Math.min(board.restNanos(), log.restNanos(clock.nanos()));
                board.turn(mailbox.collect(rest));
                log.turn(clock.nanos(), board.inMemory());
            } while (!board.hasStopped() && !abandoned);
        } finally {
            listeners.ended();
        }
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
}
