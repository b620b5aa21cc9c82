package dev.postroom.relay;

import dev.postroom.engine.Command;
import dev.postroom.engine.Engine;
import dev.postroom.engine.Event;
import dev.postroom.engine.Restart;
import java.util.ArrayList;
import java.util.List;

/** Tells the engine what happened and passes on what it wants. For one thread. */
final class Switchboard {
    /** The clock is read again after so many sends: one page may bring thousands. */
    private static final int SENDS_PER_MOMENT = 64;

    private final Engine engine;
    private final Desks desks;
    private final Outlets outlets;
    private final RelayClock clock;
    private final List<Command.Send> sends = new ArrayList<>();
    private long sendingAt;

    Switchboard(Engine engine, Desks desks, Outlets outlets, RelayClock clock) {
        this.engine = engine;
        this.desks = desks;
        this.outlets = outlets;
        this.clock = clock;
    }

    /** One turn: everything that happened, or else that time has passed. */
    void turn(List<Event> events) {
        engine.on(events.isEmpty() ? List.of(new Event.Tick()) : events, clock.now(), this::carryOut);
        for (int i = 0; i < sends.size(); i++) {
            if (i % SENDS_PER_MOMENT == 0) {
                sendingAt = clock.nanos();
            }
            outlets.send(sends.get(i), sendingAt);
        }
        sends.clear();
        outlets.turn(clock.nanos());
    }

    /** Desks begin at once; transports when the engine has decided everything, because they may answer meanwhile. */
    private void carryOut(Command command) {
        if (command instanceof Command.Send send) {
            sends.add(send);
        } else {
            desks.give(command);
        }
    }

    /** Tells in its reports that the engine before this one failed. */
    void succeeds(Restart restart) {
        engine.succeeds(restart);
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
