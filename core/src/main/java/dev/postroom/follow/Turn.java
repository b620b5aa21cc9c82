package dev.postroom.follow;

import dev.postroom.engine.Command;
import dev.postroom.engine.Moment;
import java.util.function.Consumer;

/** The moment that everything is decided at, and where commands go. */
final class Turn {
    private Moment now = new Moment(0, 0);
    private Consumer<Command> commands = command -> {};
    private boolean stopping;

    void begin(Moment newNow, Consumer<Command> newCommands) {
        now = newNow;
        commands = newCommands;
    }

    Moment now() {
        return now;
    }

    long nanos() {
        return now.nanos();
    }

    boolean isBefore(long time) {
        return time != Long.MIN_VALUE && nanos() - time < 0;
    }

    void give(Command command) {
        commands.accept(command);
    }

    /** Nothing new is begun. */
    boolean isStopping() {
        return stopping;
    }

    void stop() {
        stopping = true;
    }
}
