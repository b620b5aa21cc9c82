package dev.postroom.relay;

import dev.postroom.engine.Command;
import dev.postroom.engine.Engine;
import dev.postroom.engine.Event;
import dev.postroom.engine.Moment;
import java.util.List;

/** Tells the engine what happened and passes on what it wants. For one thread. */
final class Switchboard {
    /** The clock is read again after so many sends: one page may bring thousands. */
    private static final int SENDS_PER_MOMENT = 64;

    private final Engine engine;
    private final Desks desks;
    private final Outlets outlets;
    private final RelayClock clock;

    Switchboard(Engine engine, Desks desks, Outlets outlets, RelayClock clock) {
        this.engine = engine;
        this.desks = desks;
        this.outlets = outlets;
        this.clock = clock;
    }

    /** One turn: everything that happened, or else that time has passed. */
    void turn(List<Event> events) {
        Moment now = clock.now();
        long nanos = now.nanos();
        int sent = 0;
        for (Command command : engine.on(events.isEmpty() ? List.of(new Event.Tick()) : events, now)) {
            if (command instanceof Command.Send send) {
                if (++sent % SENDS_PER_MOMENT == 0) {
                    nanos = clock.nanos();
                }
                outlets.send(send, nanos);
            } else {
                desks.give(command);
            }
        }
        if (events.stream().anyMatch(event -> event instanceof Event.Stop)) {
            outlets.refuseWaiting();
        }
        outlets.turn(clock.nanos());
    }

    /** How long nothing needs to be done unless something happens, in nanoseconds. */
    long restNanos() {
        long next = Math.min(engine.nextTurn(), outlets.nextTurn());
        return next == Long.MAX_VALUE ? Long.MAX_VALUE : next - clock.nanos();
    }

    boolean isAwaiting() {
        return outlets.isAwaiting();
    }

    boolean hasStopped() {
        return engine.hasStopped();
    }

    int inMemory() {
        return engine.inMemory();
    }
}
