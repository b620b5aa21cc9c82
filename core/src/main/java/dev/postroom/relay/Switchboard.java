package dev.postroom.relay;

import dev.postroom.engine.Command;
import dev.postroom.engine.Engine;
import dev.postroom.engine.Event;
import dev.postroom.engine.Moment;
import java.util.List;
import java.util.function.Function;

/** Tells the engine what happened and passes on what it wants. For one thread. */
final class Switchboard {
    /** The clock is read again after so many events: one page may bring thousands. */
    private static final int EVENTS_PER_MOMENT = 256;

    private static final int SENDS_PER_MOMENT = 64;

    private final Engine engine;
    private final Desks desks;
    private final Outlets outlets;
    private final RelayClock clock;

    private final LaneTrust trust = new LaneTrust();

    Switchboard(Engine engine, Desks desks, Function<LaneTrust, Outlets> outlets, RelayClock clock) {
        this.engine = engine;
        this.desks = desks;
        this.outlets = outlets.apply(trust);
        this.clock = clock;
    }

    /** One turn: everything that happened, or else that time has passed. */
    void turn(List<Event> events) {
        Moment now = clock.now();
        if (events.isEmpty()) {
            handle(new Event.Tick(), now);
        }
        for (int i = 0; i < events.size(); i++) {
            if (i % EVENTS_PER_MOMENT == EVENTS_PER_MOMENT - 1) {
                now = clock.now();
            }
            handle(events.get(i), now);
        }
        outlets.turn(clock.nanos());
    }

    private void handle(Event event, Moment now) {
        long nanos = now.nanos();
        int sent = 0;
        trust.heard(event, now);
        for (Command command : engine.on(event, now)) {
            if (command instanceof Command.Send send) {
                if (++sent % SENDS_PER_MOMENT == 0) {
                    nanos = clock.nanos();
                }
                outlets.send(send, nanos);
            } else {
                trust.asked(command, now);
                desks.give(command);
            }
        }
        if (event instanceof Event.Stop) {
            outlets.refuseWaiting();
        }
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
