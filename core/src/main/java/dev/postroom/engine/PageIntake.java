package dev.postroom.engine;

import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageReader;
import dev.postroom.spi.MessageReader.LanePosition;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.StoredMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Takes in one page of a forward read. On databases that cannot tell which rows committed late, a page is not complete by
 * itself: rows behind the cursors that are not in memory are fetched first, and so is the row before each row of the page in
 * its stream. Only then are all of them taken, by seq.
 */
final class PageIntake {
    private static final int MOST_KEYS = 1_000;
    private static final int MOST_PUT_OFF = 100_000;

    private final EngineState state;
    private final Intake intake;
    private final DueIntake due;
    /** Behind the cursors, looked at, and not to be sent now: not worth fetching each time they are passed. */
    private final Set<UUID> putOff = new HashSet<>();

    private final @Nullable Lane[] lanes = new Lane[LaneStore.LANES];
    private ReadPlan plan = new ReadPlan(List.of(), 1);
    private @Nullable List<StoredMessage> rows;
    private List<RowKey> unknown = List.of();
    private final Map<Integer, Set<Long>> missing = new TreeMap<>();
    private final Set<Long> asked = new HashSet<>();
    private boolean portable;
    private long read;
    /** Whether the page brings everything that committed behind the cursors of all lanes. */
    private boolean whole;

    private int found;
    private long averageBytes = 1_024;

    /** A lane as the read found it. */
    private static final class Lane {
        final OwnedLane lane;
        final LanePosition position;
        final int generation;
        int count;
        long last;
        boolean full;
        /** The lowest that left memory while the page was read: what has become of it, only another read tells. */
        long fading = Long.MAX_VALUE;

        Lane(OwnedLane lane, LanePosition position) {
            this.lane = lane;
            this.position = position;
            this.generation = lane.generation;
            this.last = position.cursor();
        }

        boolean isStale() {
            return lane.generation != generation;
        }
    }

    PageIntake(EngineState state, Intake intake, DueIntake due) {
        this.state = state;
        this.intake = intake;
        this.due = due;
    }

    void begin(ReadPlan newPlan, boolean allLanes) {
        plan = newPlan;
        whole = allLanes;
        Arrays.fill(lanes, null);
        for (LanePosition position : newPlan.positions()) {
            OwnedLane lane = state.lane(position.lane());
            if (lane != null) {
                lanes[position.lane()] = new Lane(lane, position);
            }
        }
    }

    boolean isDone() {
        return rows == null;
    }

    /** Rows of the latest page. */
    int found() {
        return found;
    }

    long averageBytes() {
        return averageBytes;
    }

    void drop() {
        rows = null;
        unknown = List.of();
        missing.clear();
        putOff.clear();
    }

    void came(MessageReader.Page page, long number) {
        read = number;
        rows = new ArrayList<>(page.rows());
        asked.clear();
        portable |= !page.passed().isEmpty();
        unknown = page.passed().stream()
                .filter(key -> !state.memory.knows(key.id()) && !putOff.contains(key.id()))
                .limit(MOST_KEYS)
                .toList();
        whole &= unknown.size() < MOST_KEYS;
        completeIfPossible();
    }

    /** What has to be read before the page can be taken, or null. */
    Command.@Nullable ForReader next() {
        if (rows == null) {
            return null;
        }
        RowLimits limits = state.settings.limits();
        if (!unknown.isEmpty()) {
            return new Command.Fetch(unknown, limits);
        }
        Map.Entry<Integer, Set<Long>> lane = missing.entrySet().iterator().next();
        return new Command.FetchReady(
                lane.getKey(), lane.getValue().stream().limit(MOST_KEYS).toList(), limits);
    }

    void fetched(List<StoredMessage> fetched) {
        List<StoredMessage> pending = rows;
        if (pending == null) {
            return;
        }
        if (!unknown.isEmpty()) {
            unknown = List.of();
        } else {
            missing.remove(missing.keySet().iterator().next());
        }
        Set<UUID> have = new HashSet<>();
        pending.forEach(row -> have.add(row.key().id()));
        fetched.stream().filter(row -> have.add(row.key().id())).forEach(pending::add);
        completeIfPossible();
    }

    private void completeIfPossible() {
        List<StoredMessage> pending = rows;
        if (pending == null || !unknown.isEmpty() || !missing.isEmpty()) {
            return;
        }
        findMissing(pending);
        if (missing.isEmpty()) {
            rows = null;
            if (whole) {
                pending.addAll(due.joinedBy(read));
            }
            pending.sort(Comparator.comparingLong(row -> row.key().seq()));
            take(pending);
        }
    }

    /** The row before each row of a page, in its stream, must be here, in memory, or be found to be gone. */
    private void findMissing(List<StoredMessage> pending) {
        Set<Long> here = null;
        for (StoredMessage row : pending) {
            long earlier = row.hold().earlierSeq();
            if (earlier < 0 || intake.willPutOff(row)) {
                continue;
            }
            if (here == null) {
                here = new HashSet<>();
                for (StoredMessage other : pending) {
                    here.add(other.key().seq());
                }
            }
            if (!here.contains(earlier) && !isQueued(row, earlier) && asked.add(earlier)) {
                missing.computeIfAbsent(row.key().lane(), lane -> new HashSet<>())
                        .add(earlier);
            }
        }
    }

    private boolean isQueued(StoredMessage row, long seq) {
        StreamState stream = state.memory.knownStream(row.stream());
        return stream != null && stream.queue.stream().anyMatch(entry -> entry.seq() == seq);
    }

    private void take(List<StoredMessage> all) {
        found = all.size();
        long highest = 0;
        for (StoredMessage row : all) {
            highest = Math.max(highest, row.key().seq());
            takeOne(row);
        }
        if (found > 0) {
            long bytes = 0;
            for (StoredMessage row : all) {
                byte[] payload = row.content().payload();
                bytes += 200 + (payload == null ? 0 : payload.length);
            }
            averageBytes = Math.max(256, (averageBytes + 3 * bytes / found) / 4);
        }
        for (Lane lane : lanes) {
            if (lane != null) {
                advance(lane, highest);
            }
        }
    }

    private void takeOne(StoredMessage row) {
        Lane lane = lanes[row.key().lane()];
        if (lane == null || state.laneOfRead(row.key().lane()) != lane.lane) {
            return;
        }
        if (Intake.isDue(row)) {
            due.join(row, lane.lane);
            return;
        }
        long seq = row.key().seq();
        boolean forward = seq > lane.position.cursor();
        if ((lane.isStale() && seq > lane.lane.cursor) || (forward && lane.full)) {
            return;
        }
        if (state.memory.isFading(row.key().id())) {
            lane.fading = Math.min(lane.fading, seq);
        }
        Intake.Taken taken = intake.take(row, lane.lane, read);
        if (taken == Intake.Taken.NO_ROOM) {
            if (forward) {
                lane.full = true;
            } else {
                lane.lane.rewind(seq - 1);
            }
            return;
        }
        if (forward) {
            lane.count++;
            lane.last = seq;
        }
        if (portable) {
            rememberPutOff(row.key().id(), taken);
        }
    }

    private void rememberPutOff(UUID id, Intake.Taken taken) {
        if (taken != Intake.Taken.PUT_OFF) {
            putOff.remove(id);
            return;
        }
        if (putOff.size() >= MOST_PUT_OFF) {
            putOff.clear();
        }
        putOff.add(id);
    }

    private void advance(Lane read, long highest) {
        OwnedLane lane = read.lane;
        if (state.lane(lane.number) != lane) {
            return;
        }
        LanePosition position = read.position;
        if (!read.isStale() && position.limit() > 0) {
            boolean truncated = read.full || read.count >= position.limit();
            boolean bounded = position.horizon() < Long.MAX_VALUE;
            long reached = read.last;
            if (bounded && !truncated) {
                // All that was visible up to the horizon is here; what commits there later is late, and found as such.
                reached = Math.max(reached, Math.min(position.horizon(), highest));
            }
            if (lane.dueAhead >= 0 && !truncated && position.horizon() >= lane.dueAhead) {
                // Whatever READY row stood before them has been read: they may join their streams.
                reached = Math.max(reached, lane.dueAhead);
            }
            if (lane.rewound && !truncated && !bounded) {
                // The same goes for what was in memory before the cursor went back, and is READY no more.
                for (Entry entry : state.memory.entriesOf(lane)) {
                    reached = Math.max(reached, entry.seq());
                }
            }
            lane.cursor = Math.max(lane.cursor, reached);
            if (lane.dueAhead >= 0 && lane.cursor >= lane.dueAhead) {
                lane.dueAhead = -1;
                lane.rewindDue();
            }
            lane.deep = truncated || (bounded && found >= Math.max(1, plan.rows() / 4));
        }
        if (read.fading < Long.MAX_VALUE) {
            lane.rewind(read.fading - 1);
        }
        if (lane.rewound) {
            state.memory.ready.addAll(state.memory.entriesOf(lane));
            lane.rewound = lane.deep;
        }
    }
}
