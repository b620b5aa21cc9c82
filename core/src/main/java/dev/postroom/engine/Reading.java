package dev.postroom.engine;

import dev.postroom.operations.Pause;
import dev.postroom.spi.MessageReader;
import dev.postroom.spi.MessageReader.DuePosition;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The reader's desk: decides what to read next, and hands what came to the {@link Intake}. */
final class Reading {
    private static final int MOST_KEYS = 1_000;
    private static final int MOST_HOLDERS = 100;
    private static final int MOST_ASKED = 32;
    private static final long DUE_RESCAN = Duration.ofSeconds(10).toNanos();

    private final EngineState state;
    private final PageIntake pages;
    private final DueIntake due;
    private final Set<StreamState> rechecks = new LinkedHashSet<>();
    private final Set<Integer> woken = new TreeSet<>();
    private final long pollMin;
    private final long pollMax;

    private Command.@Nullable ForReader outstanding;
    private long outstandingRead;
    private Map<UUID, StreamState> recheckingStreams = Map.of();
    private MessageReader.@Nullable Mark mark;
    private boolean narrow;
    /** Forward reads and reads by due time take turns when both have something to do. */
    private boolean dueWasLast;

    private boolean wokenAll;
    private long poll;
    private long nextRead;
    private long nextDue;
    private long nextPauses;
    private long nextRecheck;
    private long nextRescan;
    private long retryAt;

    Reading(EngineState state, Intake intake) {
        this.state = state;
        this.due = new DueIntake(state, intake);
        this.pages = new PageIntake(state, intake, due);
        this.pollMin = state.settings.pollMin().toNanos();
        this.pollMax = state.settings.pollMax().toNanos();
        this.poll = pollMin;
        nextRead = nextDue = nextPauses = nextRecheck = nextRescan = retryAt = Long.MIN_VALUE;
    }

    /** Somebody committed something in this lane (all lanes: -1). */
    void wake(int lane) {
        if (lane < 0) {
            wokenAll = true;
        } else {
            woken.add(lane);
        }
    }

    /** Asks whether the stream is still blocked. */
    void recheck(StreamState stream) {
        rechecks.add(stream);
    }

    long nextTurn() {
        if (outstanding != null || state.stopping) {
            return Long.MAX_VALUE;
        }
        long next = nextPauses;
        if (!state.lanes.isEmpty()) {
            next = Math.min(next, nextRecheck);
            if (hasRoom()) {
                next = Math.min(next, isWoken() || isBehind() || due.isJoining() ? state.nanos() : nextRead);
            }
            if (!due.isJoining()) {
                next = Math.min(next, isDueRewound() ? state.nanos() : nextDue);
            }
            if (!rechecks.isEmpty()) {
                next = state.nanos();
            }
        }
        return Math.max(next, retryAt);
    }

    private boolean isWoken() {
        return wokenAll || !woken.isEmpty();
    }

    /** More waits ahead of some cursor than the last read brought. */
    private boolean isBehind() {
        for (OwnedLane lane : state.lanes.values()) {
            if (lane.deep && !lane.leaving && !lane.isStalled()) {
                return true;
            }
        }
        return false;
    }

    private boolean isDueRewound() {
        for (OwnedLane lane : state.lanes.values()) {
            if (lane.dueRewound && !lane.leaving) {
                return true;
            }
        }
        return false;
    }

    private boolean hasRoom() {
        return room() > 0;
    }

    /** Rows that fit; none until an eighth is free, so that pages do not become tiny. */
    private int room() {
        int free = state.settings.maxInFlight() - state.memory.size();
        long freeBytes = state.settings.maxInFlightBytes() - state.memory.bytes();
        if (state.memory.size() == 0) {
            return Math.max(1, (int) Math.min(free, freeBytes / pages.averageBytes()));
        }
        if (free <= state.settings.maxInFlight() / 8 || freeBytes <= state.settings.maxInFlightBytes() / 8) {
            return 0;
        }
        return Math.max(1, (int) Math.min(free, freeBytes / pages.averageBytes()));
    }

    void turn() {
        if (outstanding != null || state.stopping || isBefore(retryAt)) {
            return;
        }
        Command.ForReader next = pages.next();
        if (next == null) {
            makeRoom();
            next = choose();
        }
        if (next != null) {
            state.lanesOfRead = new HashMap<>(state.lanes);
            outstanding = next;
            outstandingRead = ++state.reads;
            state.reading = true;
            state.out.accept(next);
        }
    }

    /**
     * Messages ahead of a cursor that went back wait until it has passed them again. If they fill the memory, nothing would
     * ever be read: they are forgotten, and come again in their turn.
     */
    private void makeRoom() {
        if (hasRoom() || state.lanes.values().stream().noneMatch(lane -> lane.rewound)) {
            return;
        }
        for (Entry entry : List.copyOf(state.memory.entries())) {
            if (entry.isOrdered() && entry.seq() > entry.lane.cursor && entry.isForgettable()) {
                if (!entry.isReady()) {
                    entry.lane.dueAhead = Math.max(entry.lane.dueAhead, entry.seq());
                }
                state.memory.remove(entry);
                StreamState stream = entry.stream;
                if (stream != null && !stream.forgotten && stream.isOverflowing() && stream.queue.isEmpty()) {
                    stream.takeUp(entry.lane);
                    state.memory.forgetIfEmpty(stream);
                }
            }
        }
    }

    private boolean isBefore(long time) {
        return time != Long.MIN_VALUE && state.nanos() < time;
    }

    private Command.@Nullable ForReader choose() {
        if (!isBefore(nextPauses)) {
            nextPauses = state.nanos() + Math.min(pollMax, Duration.ofSeconds(1).toNanos());
            return new Command.ReadPauses();
        }
        if (state.lanes.isEmpty()) {
            return null;
        }
        StreamState asking = streamToAsk();
        if (asking != null) {
            return new Command.FindHolders(asking.stream, MOST_HOLDERS);
        }
        if (!rechecks.isEmpty() || !isBefore(nextRecheck)) {
            Command.ForReader fetch = recheckBlocked();
            if (fetch != null) {
                return fetch;
            }
        }
        if (hasRoom() && isWoken() && !wokenAll && !isBehind() && isBefore(nextRead)) {
            return readWoken();
        }
        boolean forwardDue = hasRoom() && (isWoken() || isBehind() || due.isJoining() || !isBefore(nextRead));
        if ((!isBefore(nextDue) || isDueRewound()) && !due.isJoining() && !(forwardDue && dueWasLast)) {
            dueWasLast = true;
            return readDue();
        }
        if (forwardDue) {
            dueWasLast = false;
            return readForward();
        }
        return null;
    }

    private Command.ForReader readForward() {
        woken.clear();
        wokenAll = false;
        narrow = false;
        ReadPlan plan = ReadPlan.of(state.lanes.values(), room(), state.settings.batchSize());
        pages.begin(plan, true);
        return new Command.Read(new MessageReader.ReadRequest(mark, plan.positions(), state.settings.limits()));
    }

    /**
     * Only the lanes where a writer says there is something. Late rows of the other lanes are not looked for, so the mark
     * stays the one of the last whole read.
     */
    private Command.@Nullable ForReader readWoken() {
        List<OwnedLane> lanes = new ArrayList<>();
        for (int number : woken) {
            OwnedLane lane = state.lane(number);
            if (lane != null) {
                lanes.add(lane);
            }
        }
        woken.clear();
        if (lanes.isEmpty()) {
            return null;
        }
        narrow = true;
        ReadPlan plan = ReadPlan.of(lanes, room(), state.settings.batchSize());
        pages.begin(plan, false);
        return new Command.Read(new MessageReader.ReadRequest(mark, plan.positions(), state.settings.limits()));
    }

    private Command.ForReader readDue() {
        if (!isBefore(nextRescan)) {
            // From the beginning now and then: the database's clock may have been set back.
            nextRescan = state.nanos() + DUE_RESCAN;
            state.lanes.values().forEach(OwnedLane::rewindDue);
        }
        List<DuePosition> positions = new ArrayList<>();
        for (OwnedLane lane : state.lanes.values()) {
            if (!lane.leaving) {
                positions.add(lane.due);
                lane.dueRewound = false;
            }
        }
        return new Command.ReadDue(new MessageReader.DueRequest(positions, duePerLane(), state.settings.limits()));
    }

    private int duePerLane() {
        int room = Math.max(room(), 1);
        return Math.max(1, Math.min(state.settings.batchSize(), room / Math.max(1, state.lanes.size())));
    }

    private @Nullable StreamState streamToAsk() {
        if (state.memory.blockedStreams() == 0) {
            return null;
        }
        for (StreamState stream : state.memory.streams()) {
            if (stream.askHolders) {
                return stream;
            }
        }
        return null;
    }

    /** Asks for the first row that waits in each blocked stream: it says whether anything holds it still. */
    private Command.@Nullable ForReader recheckBlocked() {
        if (!isBefore(nextRecheck)) {
            nextRecheck = state.nanos() + pollMax;
            if (state.gates.isClosed(GateKey.MANY_BLOCKED) && state.memory.hasRoomForBlocked()) {
                state.open(GateKey.MANY_BLOCKED, "there is room for blocked streams again");
            }
            for (StreamState stream : state.memory.streams()) {
                if (stream.isBlocked()) {
                    rechecks.add(stream);
                }
            }
        }
        Map<UUID, StreamState> asked = new HashMap<>();
        List<RowKey> keys = new ArrayList<>();
        for (var some = rechecks.iterator(); some.hasNext() && keys.size() < MOST_KEYS; ) {
            StreamState stream = some.next();
            some.remove();
            OwnedLane lane = state.lane(stream.lane);
            if (lane == null || stream.forgotten || !stream.isBlocked()) {
                continue;
            }
            RowKey first = stream.firstHeldBack();
            if (first != null) {
                asked.put(first.id(), stream);
                keys.add(first);
            } else if (stream.blockedSince < state.reads) {
                // Nobody waits: the next row that is read says for itself whether it is held.
                state.memory.unblock(stream, lane);
            }
        }
        if (keys.isEmpty()) {
            return null;
        }
        recheckingStreams = asked;
        return new Command.Fetch(keys, state.settings.limits());
    }

    // --- answers ---

    void pageRead(MessageReader.Page page) {
        finish();
        if (page.restart()) {
            startOver();
            return;
        }
        pages.came(page, outstandingRead);
        afterIntake(page.next());
    }

    private void afterIntake(MessageReader.@Nullable Mark next) {
        if (next != null) {
            pendingMark = next;
        }
        if (!pages.isDone()) {
            // Still being read: what leaves memory in the meantime must not come back with it.
            state.reading = true;
            return;
        }
        if (!narrow) {
            mark = pendingMark;
            boolean found = pages.found() > 0;
            poll = found ? pollMin : Math.min(pollMax, poll * 2);
            nextRead = state.nanos() + poll;
        } else if (pages.found() > 0) {
            poll = pollMin;
            nextRead = Math.min(nextRead, state.nanos() + poll);
        }
        if (pages.found() > 0) {
            state.listener.fetched(pages.found());
        }
    }

    private MessageReader.@Nullable Mark pendingMark;

    void rowsRead(List<StoredMessage> rows) {
        Command.ForReader answered = Objects.requireNonNull(outstanding);
        finish();
        if (answered instanceof Command.ReadDue due) {
            dueRead(due.request(), rows);
        } else if (!recheckingStreams.isEmpty()) {
            rechecked(rows);
        } else {
            pages.fetched(rows);
            afterIntake(null);
        }
    }

    private void dueRead(MessageReader.DueRequest request, List<StoredMessage> rows) {
        // Counted from the answer: where it takes longer than the interval, forward reads get their turn in between.
        nextDue = switch (due.came(request, rows, outstandingRead)) {
            case LIKELY -> state.nanos();
            case NO_ROOM -> state.nanos() + pollMin;
            case NONE -> state.nanos() + Math.max(pollMin, Math.min(poll, pollMax / 2));
        };
        if (!rows.isEmpty()) {
            state.listener.fetched(rows.size());
        }
    }

    private void rechecked(List<StoredMessage> rows) {
        Map<UUID, StreamState> asked = new HashMap<>(recheckingStreams);
        recheckingStreams = Map.of();
        for (StoredMessage row : rows) {
            StreamState stream = asked.get(row.key().id());
            if (stream != null && row.hold().held()) {
                asked.remove(row.key().id());
                // Its holder may have reached some destinations since, or have been to the only one already when other
                // routes
                // were in force; asked for a few of them each time.
                boolean unsure = !stream.holdersKnown || Long.bitCount(state.routes.routeOf(stream.stream.topic())) > 1;
                stream.askHolders |= unsure && state.random.getAsDouble() * rows.size() < MOST_ASKED;
            }
        }
        for (StreamState stream : asked.values()) {
            OwnedLane lane = state.lane(stream.lane);
            if (lane != null && !stream.forgotten && stream.blockedSince < outstandingRead) {
                if (stream.queue.isEmpty()) {
                    // What was forgotten is read again, and each row says for itself whether it is held.
                    state.memory.unblock(stream, lane);
                } else {
                    // The first is free, or gone, perhaps because it holds the others itself now.
                    stream.askHolders = true;
                    stream.readParked(lane);
                }
                nextRead = Math.min(nextRead, state.nanos());
                nextDue = Math.min(nextDue, state.nanos());
            }
        }
    }

    void holdersRead(List<MessageReader.Holder> holders) {
        Command.FindHolders asked = (Command.FindHolders) Objects.requireNonNull(outstanding);
        finish();
        StreamState stream = state.memory.knownStream(asked.stream());
        if (stream != null && state.lane(stream.lane) == null) {
            stream.askHolders = false;
        }
        OwnedLane lane = stream == null ? null : state.lane(stream.lane);
        if (stream == null || lane == null || !stream.askHolders) {
            return;
        }
        stream.askHolders = false;
        if (stream.blockedSince >= outstandingRead) {
            return;
        }
        if (holders.isEmpty()) {
            state.memory.unblock(stream, lane);
            return;
        }
        long route = state.routes.routeOf(stream.stream.topic());
        Map<Long, Long> masks = new HashMap<>();
        for (MessageReader.Holder holder : holders) {
            boolean last = masks.size() == MOST_HOLDERS - 1;
            masks.put(holder.key().seq(), last ? -1L : route & ~holder.completed());
        }
        if (stream.holdersAre(masks)) {
            // Some may go to some destinations now.
            stream.readParked(lane);
            state.memory.look(stream);
        }
    }

    void pausesRead(List<Pause> pauses) {
        finish();
        boolean first = !state.pausesKnown;
        state.pausesKnown = true;
        for (Pause pause : pauses) {
            GateKey key =
                    GateKey.pause(pause.target().destination(), pause.target().topic());
            if (!state.gates.isClosed(key)) {
                state.close(key, "paused by " + pause.by());
            }
        }
        for (GateKey ended : state.gates.pauses(pauses)) {
            state.open(ended, "resumed");
        }
        if (first) {
            state.memory.ready.addAll(state.memory.entries());
        }
    }

    /** Nothing came. Perhaps the database is another one now (a failover): cursors and marks mean nothing to it. */
    void failed(String error) {
        Command.ForReader question = outstanding;
        if (question != null) {
            state.readTrouble.failed(question, error, state.nanos());
        }
        outstanding = null;
        finish();
        recheckingStreams = Map.of();
        retryAt = state.nanos() + Math.max(pollMin, Duration.ofMillis(100).toNanos());
        startOver();
    }

    private void startOver() {
        mark = null;
        pages.drop();
        due.drop();
        for (OwnedLane lane : state.lanes.values()) {
            lane.startOver();
        }
        // What blocks a stream is kept until it is asked for again: too careful is better than out of order.
        state.memory.streams().forEach(StreamState::forgetOverflow);
        nextRead = state.nanos();
    }

    private void finish() {
        if (outstanding != null) {
            state.readTrouble.answered(outstanding);
        }
        outstanding = null;
        state.reading = false;
    }

    /** After an answer was taken in: no read is under way that could bring back what left memory. */
    void forgetFading() {
        if (outstanding == null && pages.isDone()) {
            state.memory.forgetFading();
        }
    }
}
