package dev.postroom.testkit.simulation;

import dev.postroom.engine.Command;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageRequest;
import dev.postroom.testkit.simulation.database.DatabaseObserver;

/** Sees everything that happens, when it happens. */
interface Watcher extends DatabaseObserver {

    /** The engine gave a desk something to do. */
    default void commanded(RelayProcess relay, Command command) {}

    /** A page has been answered: what was asked for, and what it got. */
    default void followed(PageRequest request, PageAnswer answer) {}

    /** Any other question has been answered with so many rows. */
    default void read(int rows) {}

    /** The engine handed a message to a transport. */
    default void sent(Sending sending) {}

    /** The transport puts it on the wire. */
    default void wired(Sending sending) {}

    /** The destination has it. */
    default void arrived(Sending sending) {}

    /** The engine was told what became of it. */
    default void told(Sending sending) {}

    /** The engine has answered an event. */
    default void turned(RelayProcess relay) {}

    /** Everything has come to its end, or had the time to. */
    default void ended() {}
}
