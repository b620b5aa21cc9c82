package dev.postroom.engine;

import dev.postroom.spi.FollowReader;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.Pauses;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.StreamRead;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** What the engine is told. */
public sealed interface Event {

    /** Answers {@link Command.Beat}. */
    record Beaten(List<LaneStore.Lease> held, List<LaneStore.Lane> lanes, List<LaneStore.LiveNode> nodes)
            implements Event {}

    /** Answers {@link Command.Acquire}. */
    record Acquired(List<LaneStore.Lease> leases) implements Event {}

    /** Answers {@link Command.Reserve}. */
    record Reserved(List<LaneStore.Lease> leases) implements Event {}

    /** Answers {@link Command.Leave}. */
    record Left() implements Event {}

    /** The keeper's command may or may not have been carried out. */
    record KeeperFailed(String error) implements Event {}

    /** Answers {@link Command.ReadPauses}. */
    record PausesRead(Pauses pauses) implements Event {}

    /** Answers {@link Command.Follow}. */
    record Followed(PageAnswer answer) implements Event {}

    /** Answers {@link Command.FindLateFloor}. */
    record LateFloorFound(FollowReader.LateFloor floor) implements Event {}

    /** Answers {@link Command.ReadStreams}. */
    record StreamsRead(StreamRead read) implements Event {}

    /** Answers {@link Command.FindHeld}. */
    record HeldFound(List<FollowReader.Held> held) implements Event {}

    /** Nothing was read. */
    record ReaderFailed(String error) implements Event {}

    /** Answers {@link Command.Settle}. */
    record BatchSettled(MessageSettler.Settled settled) implements Event {}

    /** Answers {@link Command.Suspect}. */
    record Suspected(Set<UUID> ids) implements Event {}

    /**
     * The settler's command may or may not have been carried out.
     *
     * @param refused the database refused the values in it, see {@link dev.postroom.RefusedDataException}: the same command
     *     is refused again, a part of it may not be
     */
    record SettlerFailed(String error, boolean refused) implements Event {
        /** Trouble of the database itself. */
        public SettlerFailed(String error) {
            this(error, false);
        }
    }

    /** A transport's answer to {@link Command.Send}. */
    record Replied(RowKey key, String destination, Outcome outcome) implements Event {}

    /** Something may have been written: by a commit that named the row, or by somebody who only says so (seq 0). */
    record Woken(int lane, long seq) implements Event {}

    /** Time has passed. */
    record Tick() implements Event {}

    /** Finish what is in flight, settle it, give the lanes back, and leave. */
    record Stop() implements Event {}
}
