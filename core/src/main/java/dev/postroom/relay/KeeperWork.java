package dev.postroom.relay;

import dev.postroom.engine.Command;
import dev.postroom.engine.Event;
import dev.postroom.spi.LaneStore;
import java.util.List;

/** Keeps the relay's lanes. */
final class KeeperWork implements DeskWork<Command.ForKeeper> {
    private final LaneStore lanes;

    KeeperWork(LaneStore lanes) {
        this.lanes = lanes;
    }

    @Override
    public Event answer(Command.ForKeeper command) {
        if (command instanceof Command.Beat beat) {
            List<LaneStore.Lease> held = lanes.renew(beat.owner(), beat.lease());
            lanes.report(beat.report());
            return new Event.Beaten(held, lanes.lanes(), lanes.liveNodes(beat.liveWithin()));
        }
        if (command instanceof Command.Acquire acquire) {
            return new Event.Acquired(lanes.acquire(acquire.owner(), acquire.lanes(), acquire.lease()));
        }
        if (command instanceof Command.Reserve reserve) {
            return new Event.Reserved(lanes.reserve(reserve.owner(), reserve.reservations()));
        }
        lanes.leave(((Command.Leave) command).owner());
        return new Event.Left();
    }

    @Override
    public Event failed(String error) {
        return new Event.KeeperFailed(error);
    }

    @Override
    public void cancel() {
        lanes.cancel();
    }

    @Override
    public void close() {
        lanes.close();
    }
}
