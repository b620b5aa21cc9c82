package dev.postroom.relay;

import dev.postroom.engine.Command;
import java.time.Duration;

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

    /** Waits until their connections are given back, so that whoever closes the pool next finds none in use. */
    void awaitEnd(Duration each) throws InterruptedException {
        if (reader.hasEndedWithin(each) && settler.hasEndedWithin(each)) {
            keeper.hasEndedWithin(each);
        }
    }
}
