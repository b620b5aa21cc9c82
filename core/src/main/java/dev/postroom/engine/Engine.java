package dev.postroom.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One relay's decisions. Told what happened and when, it answers with what to do; it has no thread, no clock and no
 * connection. Not thread-safe.
 */
public interface Engine {
    /** Tells in its reports that the engine before this one failed, and why. */
    void succeeds(Restart restart);

    /** Tells in its reports where its destinations are: the address of each, without credentials, by its name. */
    void deliversTo(Map<String, String> addresses);

    /**
     * Takes note of all that happened since the last time, and decides once, not for each. Each command is given as soon as
     * it is decided, so that others can begin with it.
     *
     * @throws IllegalArgumentException if one of the events answers nothing that this engine asks for
     */
    void on(List<Event> events, Moment now, Consumer<Command> commands);

    /** As {@link #on(List, Moment, Consumer)}, with all commands at the end. */
    default List<Command> on(List<Event> events, Moment now) {
        List<Command> commands = new ArrayList<>();
        on(events, now, commands::add);
        return commands;
    }

    /** As {@link #on(List, Moment)}, for one event. */
    default List<Command> on(Event event, Moment now) {
        return on(List.of(event), now);
    }

    /** When it wants a {@link Event.Tick}, if nothing else happens before; by the clock of {@link Moment#nanos()}. */
    long nextTurn();

    /** Whether it has stopped and wants nothing any more. */
    boolean hasStopped();

    /** Messages in memory. */
    int inMemory();
}
