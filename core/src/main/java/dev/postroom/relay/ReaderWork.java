package dev.postroom.relay;

import dev.postroom.engine.Command;
import dev.postroom.engine.Event;
import dev.postroom.spi.MessageReader;

/** Reads messages, what holds them, and what is paused. */
final class ReaderWork implements DeskWork<Command.ForReader> {
    private final MessageReader reader;

    ReaderWork(MessageReader reader) {
        this.reader = reader;
    }

    @Override
    public Event answer(Command.ForReader command) {
        if (command instanceof Command.Read read) {
            return new Event.PageRead(reader.read(read.request()));
        }
        if (command instanceof Command.ReadDue due) {
            return new Event.RowsRead(reader.readDue(due.request()));
        }
        if (command instanceof Command.Fetch fetch) {
            return new Event.RowsRead(reader.fetch(fetch.keys(), fetch.limits()));
        }
        if (command instanceof Command.FetchReady fetch) {
            return new Event.RowsRead(reader.fetchReady(fetch.lane(), fetch.seqs(), fetch.limits()));
        }
        if (command instanceof Command.FindHolders find) {
            return new Event.HoldersRead(reader.holders(find.stream(), find.limit()));
        }
        return new Event.PausesRead(reader.pauses());
    }

    @Override
    public Event failed(String error) {
        return new Event.ReaderFailed(error);
    }

    @Override
    public void cancel() {
        reader.cancel();
    }

    @Override
    public void close() {
        reader.close();
    }
}
