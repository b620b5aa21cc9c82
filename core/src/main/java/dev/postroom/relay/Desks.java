package dev.postroom.relay;

import dev.postroom.engine.Command;

/** The three desks of a relay. */
record Desks(Desk<Command.ForKeeper> keeper, Desk<Command.ForReader> reader, Desk<Command.ForSettler> settler)
        implements AutoCloseable {

    void give(Command command) {
        if (command instanceof Command.ForReader toRead) {
            reader.give(toRead);
        } else if (command instanceof Command.ForSettler toSettle) {
            settler.give(toSettle);
        } else if (command instanceof Command.ForKeeper toKeep) {
            keeper.give(toKeep);
        } else {
            throw new IllegalStateException("no desk takes " + command);
        }
    }

    @Override
    public void close() {
        reader.close();
        settler.close();
        keeper.close();
    }
}
