package dev.postroom.engine;

import dev.postroom.spi.MessageReader.LanePosition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * How much to read of each lane. While there is a backlog, lanes advance together up to a horizon, because rows of one time
 * lie on the same pages of the table. A lane that is ahead of the others still gets a few rows a time: its messages must not
 * wait until somebody else's flood is over.
 */
record ReadPlan(List<LanePosition> positions, int rows) {
    private static final int PAGE = 4_096;
    private static final int QUOTA = 8;

    /** A plan for as many rows as there is room for. */
    static ReadPlan of(Collection<OwnedLane> lanes, int room, int mostPerLane) {
        int rows = Math.max(1, Math.min(PAGE, room));
        int count = Math.max(1, lanes.size());
        int even = Math.max(1, Math.min(mostPerLane, rows / count));
        long slowest = Long.MAX_VALUE;
        for (OwnedLane lane : lanes) {
            if (lane.deep && !lane.leaving && !lane.isStalled()) {
                slowest = Math.min(slowest, lane.cursor);
            }
        }
        long horizon = Counts.ahead(slowest, Math.max(1, (long) rows * 64 / count));
        List<LanePosition> positions = new ArrayList<>(lanes.size());
        for (OwnedLane lane : lanes) {
            if (lane.leaving || lane.isStalled()) {
                positions.add(new LanePosition(lane.number, lane.cursor, 0));
            } else if (!lane.deep) {
                positions.add(new LanePosition(lane.number, lane.cursor, even));
            } else if (lane.cursor < horizon) {
                int most = Math.min(mostPerLane, Math.max(even * 4, QUOTA));
                positions.add(new LanePosition(lane.number, lane.cursor, horizon, most));
            } else {
                positions.add(new LanePosition(lane.number, lane.cursor, Math.min(QUOTA, even)));
            }
        }
        return new ReadPlan(positions, rows);
    }
}
