package dev.postroom.relay;

import dev.postroom.PostroomException;
import dev.postroom.engine.Command;
import dev.postroom.engine.EngineListener;
import dev.postroom.engine.Event;
import dev.postroom.spi.Outcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * A relay without threads, for tests: everything happens on the caller's thread while {@link #drain()} runs, with the same
 * logic as in a {@link Relay}. Get one from {@link Relay.Builder#manual()}. For one thread.
 */
public final class ManualRelay implements AutoCloseable {
    private final RelayPlan plan;
    private final RelayClock clock = new RelayClock(InstantSource.system());
    private final Mailbox mailbox = new Mailbox();
    private final Listeners listeners;
    private final Desks desks;
    private final Switchboard board;
    private boolean closed;

    ManualRelay(RelayPlan plan) {
        this.plan = plan;
        this.listeners = new Listeners(EngineListener.NONE, plan.conduct().listeners());
        RelayDatabase database = plan.database();
        this.desks = new Desks(
                inline(database.keeper()),
                inline(listeners.timing(database.reader(plan.owing()))),
                inline(listeners.timing(database.settler())));
        Outlets outlets = new Outlets(
                plan.routing().destinations(), mailbox, plan.conduct().tracing());
        this.board = new Switchboard(plan.newEngine(outlets, listeners), desks, outlets, clock);
        listeners.began(outlets.viewOf(plan.conduct().name()));
    }

    private <C extends Command> Desk<C> inline(DeskWork<C> work) {
        return new Desk<>() {
            @Override
            public void give(C command) {
                mailbox.post(work.carryOut(command));
            }

            @Override
            public void close() {
                work.close();
            }
        };
    }

    /**
     * Works until nothing is left that can be done now: what is due has been delivered, or has failed and waits for its
     * next try. Waits for transports that answer later, and for nothing else.
     */
    public void drain() {
        if (closed) {
            throw new PostroomException("this relay is closed: make another one to go on");
        }
        mailbox.hint(0, 0);
        long quiet = plan.template().pollMax().multipliedBy(2).toNanos();
        long skipped = 0;
        while (true) {
            List<Event> events = await(board.isAwaiting() ? board.restNanos() : 0);
            if (events.stream().anyMatch(ManualRelay::isProgress) || board.isAwaiting()) {
                skipped = 0;
            }
            if (events.isEmpty()) {
                // Nobody polls, waits or collects in real time here: the relay's clock jumps to what it waits for.
                long rest = Math.max(0, board.restNanos());
                if (skipped + rest > quiet) {
                    return;
                }
                skipped += rest;
                clock.advance(Duration.ofNanos(rest));
            }
            board.turn(events);
        }
    }

    /** Whether this can bring more to do; a destination that is still down, or an empty page, cannot. */
    private static boolean isProgress(Event event) {
        if (event instanceof Event.Replied replied) {
            return !(replied.outcome() instanceof Outcome.Failed failed) || failed.scope() == Outcome.Scope.MESSAGE;
        }
        return event instanceof Event.Acquired acquired && !acquired.leases().isEmpty();
    }

    /**
     * Sets the relay's clock forward: what it does by its own clock, such as trying a destination that was down, is due
     * earlier. When messages are due is decided by the database's clock, which stays.
     */
    public void advance(Duration by) {
        clock.advance(by);
    }

    private List<Event> await(long nanos) {
        try {
            return mailbox.collect(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PostroomException("interrupted while waiting for a transport to answer");
        }
    }

    /** As {@link Relay#close()}. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        mailbox.post(new Event.Stop());
        long deadline = clock.nanos() + plan.conduct().stopTimeout().toNanos();
        while (!board.hasStopped() && clock.nanos() < deadline) {
            board.turn(await(Math.max(0, board.restNanos())));
        }
        desks.close();
        listeners.ended();
        Transports.close(plan.routing().destinations());
    }
}
