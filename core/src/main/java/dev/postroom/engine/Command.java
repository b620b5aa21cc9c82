package dev.postroom.engine;

import dev.postroom.spi.Delivery;
import dev.postroom.spi.FollowReader;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.ReadBounds;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.StreamRead;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What the engine wants done. There are three desks with a connection each, and each has at most one command at a time:
 * the keeper's, the reader's and the settler's. Every command is answered by one {@link Event}, its own or the desk's
 * failure.
 */
public sealed interface Command {

    /** For the keeper's desk, which answers {@link Event.KeeperFailed} when it cannot. */
    sealed interface ForKeeper extends Command {}

    /** For the reader's desk, which answers {@link Event.ReaderFailed} when it cannot. */
    sealed interface ForReader extends Command {}

    /** For the settler's desk, which answers {@link Event.SettlerFailed} when it cannot. */
    sealed interface ForSettler extends Command {}

    /** Renew, then report, then look at all lanes and relays: {@link Event.Beaten}. */
    record Beat(String owner, Duration lease, LaneStore.NodeReport report, Duration liveWithin) implements ForKeeper {}

    /** {@link Event.Acquired}. */
    record Acquire(String owner, List<Integer> lanes, Duration lease) implements ForKeeper {}

    /** {@link Event.Reserved}. */
    record Reserve(String owner, List<LaneStore.Reservation> reservations) implements ForKeeper {}

    /** The last command of all: {@link Event.Left}. */
    record Leave(String owner) implements ForKeeper {}

    /** {@link Event.PausesRead}. */
    record ReadPauses() implements ForReader {}

    /** {@link Event.Followed}. */
    record Follow(PageRequest request) implements ForReader {}

    /** {@link Event.LateFloorFound}. */
    record FindLateFloor(FollowReader.Mark previous, List<PageRequest.Reach> reaches, int limit) implements ForReader {}

    /** {@link Event.StreamsRead}. */
    record ReadStreams(List<StreamRead.Ask> asks, ReadBounds bounds) implements ForReader {}

    /** {@link Event.HeldFound}. */
    record FindHeld(Set<Long> streams) implements ForReader {}

    /** {@link Event.BatchSettled}. */
    record Settle(MessageSettler.Batch batch) implements ForSettler {}

    /** {@link Event.Suspected}. */
    record Suspect(String owner, List<MessageSettler.Suspect> suspects) implements ForSettler {}

    /** Give it to the transport of this name, which answers {@link Event.Replied} once, whenever it knows. */
    record Send(String destination, RowKey key, Delivery delivery) implements Command {}
}
