package dev.postroom.relay;

import dev.postroom.engine.Command;
import java.time.Duration;
import java.util.List;

/** The three desks of a relay. */
record Desks(Desk<Command.ForKeeper> keeper, Desk<Command.ForReader> reader, Desk<Command.ForSettler> settler)
        implements AutoCloseable {

    private List<Desk<?>> all() {
        return List.of(reader, settler, keeper);
    }

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

    /**
     * For how long all of them may still be silent, when each may owe an answer for so long.
     *
     * @throws RelayFailure when one has been silent for longer
     */
    long patienceNanos(Duration silence) {
        long patience = Long.MAX_VALUE;
        for (Desk<?> desk : all()) {
            long owes = desk.owesForNanos();
            if (owes > silence.toNanos()) {
                throw new RelayFailure(
                        "its thread " + desk + " has owed an answer for " + owes / 1_000_000_000
                                + " s, longer than a connection waits for the database and a lease together",
                        null);
            }
            patience = owes == 0 ? patience : Math.min(patience, silence.toNanos() - owes);
        }
        return patience;
    }

    @Override
    public void close() {
        all().forEach(Desk::close);
    }

    /**
     * Waits until their connections are given back, so that whoever closes the pool next finds none in use; what takes
     * longer than the grace is broken off in the database. False when even that did not end it.
     */
    boolean awaitEnd(Duration grace) throws InterruptedException {
        if (!haveEndedWithin(grace)) {
            all().forEach(Desk::cancel);
        }
        return haveEndedWithin(grace);
    }

    boolean haveEndedWithin(Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        boolean ended = true;
        for (Desk<?> desk : all()) {
            ended &= desk.hasEndedWithin(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        }
        return ended;
    }
}
