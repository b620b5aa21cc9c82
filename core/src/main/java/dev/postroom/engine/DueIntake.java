package dev.postroom.engine;

import dev.postroom.spi.MessageReader.DuePosition;
import dev.postroom.spi.MessageReader.DueRequest;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Takes in what was read by its due time. A delayed message joins its stream when it is due, behind the earlier ones: a
 * transaction that wrote both may have committed just now, behind the cursor, so it is taken after the next whole forward
 * read, which finds such late ones. A message that waits for another try was in memory before and needs no such care.
 */
final class DueIntake {
    private final EngineState state;
    private final Intake intake;
    private final List<Joining> joining = new ArrayList<>();
    private long joiningSince;

    /** What a read found out about when to read by due time again. */
    enum More {
        /** Perhaps: a lane had as many as were asked for. */
        LIKELY,
        /** There was no room for some. */
        NO_ROOM,
        NONE
    }

    /** A delayed message that waits for the next forward read. */
    private record Joining(StoredMessage row, OwnedLane lane) {}

    DueIntake(EngineState state, Intake intake) {
        this.state = state;
        this.intake = intake;
    }

    /** Whether the next forward read is waited for. */
    boolean isJoining() {
        return !joining.isEmpty();
    }

    /** Everything is read anew. */
    void drop() {
        joining.clear();
    }

    More came(DueRequest request, List<StoredMessage> rows, long read) {
        joiningSince = read;
        int[] counts = new int[64];
        More more = More.NONE;
        Set<OwnedLane> again = new LinkedHashSet<>();
        for (StoredMessage row : rows) {
            OwnedLane lane = state.laneOfRead(row.key().lane());
            if (lane == null) {
                continue;
            }
            if (state.memory.isFading(row.key().id())) {
                // It failed or was delivered while this was read: what it is now, the next read tells.
                again.add(lane);
            }
            boolean isMore = ++counts[lane.number] >= request.limitPerLane();
            if (!take(row, lane, read)) {
                counts[lane.number] = Integer.MIN_VALUE;
                more = More.NO_ROOM;
            } else if (counts[lane.number] > 0) {
                lane.due = new DuePosition(lane.number, row.due(), row.key().seq());
                more = isMore && more == More.NONE ? More.LIKELY : more;
            }
        }
        again.forEach(OwnedLane::rewindDue);
        return more;
    }

    /** Whether there was room for it. */
    private boolean take(StoredMessage row, OwnedLane lane, long read) {
        boolean ordered = row.stream().isOrdered() && !row.progress().released();
        if (ordered && row.key().seq() > lane.cursor) {
            lane.dueAhead = Math.max(lane.dueAhead, row.key().seq());
            return true;
        }
        boolean isNew = !state.memory.knows(row.key().id()) && state.setAside.confirmed(row) == 0;
        if (ordered && row.progress().state() == RowState.DELAYED && isNew) {
            joining.add(new Joining(row, lane));
            return true;
        }
        return intake.take(row, lane, read) != Intake.Taken.NO_ROOM;
    }

    /** Those who need not wait any longer, because a whole forward read that began after them is here. */
    List<StoredMessage> joinedBy(long read) {
        if (read <= joiningSince || joining.isEmpty()) {
            return List.of();
        }
        List<StoredMessage> rows = new ArrayList<>();
        for (Joining next : joining) {
            if (state.laneOfRead(next.row().key().lane()) == next.lane()) {
                rows.add(next.row());
            }
        }
        joining.clear();
        return rows;
    }

    /** Takes one of {@link #joinedBy}, in its turn among the rows of the forward read. */
    void join(StoredMessage row, OwnedLane lane) {
        if (row.key().seq() > lane.cursor) {
            lane.dueAhead = Math.max(lane.dueAhead, row.key().seq());
        } else if (intake.take(row, lane, joiningSince) == Intake.Taken.NO_ROOM) {
            lane.rewindDue();
        }
    }
}
