package dev.postroom.relay;

import dev.postroom.engine.Command;
import dev.postroom.engine.Event;
import dev.postroom.spi.FollowReader;

/** Reads messages, what holds them, and what is paused. */
final class ReaderWork implements DeskWork<Command.ForReader> {
    private final FollowReader reader;

    ReaderWork(FollowReader reader) {
        this.reader = reader;
    }

    @Override
    public Event answer(Command.ForReader command) {
        if (command instanceof Command.Follow follow) {
            return new Event.Followed(reader.read(follow.request()));
        }
        if (command instanceof Command.FindLateFloor find) {
            return new Event.LateFloorFound(reader.lateFloor(find.previous(), find.reaches(), find.limit()));
        }
        if (command instanceof Command.ReadStreams read) {
            return new Event.StreamsRead(reader.readStreams(read.asks(), read.bounds()));
        }
        if (command instanceof Command.FindHeld find) {
            return new Event.HeldFound(reader.holders(find.streams()));
        }
        if (command instanceof Command.ReadPauses) {
            return new Event.PausesRead(reader.pauses());
        }
        throw new IllegalArgumentException("no reader knows how to answer " + command);
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
