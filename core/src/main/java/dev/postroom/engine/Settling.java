package dev.postroom.engine;

import dev.postroom.FailureReason;
import dev.postroom.policy.OnFailure;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.MessageSettler.Failure;
import dev.postroom.spi.MessageSettler.Settled;
import dev.postroom.spi.Outcome;
import dev.postroom.spi.StorableText;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The settler's desk: collects outcomes and has them recorded, many at a time. A batch whose answer did not come is given
 * again as it was; until then its messages stay in memory, so nothing else can happen to them, and nothing more is sent. A
 * batch that was refused for what is in it is given again in halves, until the culprit is alone and the others are recorded.
 */
final class Settling {
    private static final int MOST = 4_096;
    private static final int ENOUGH = 256;
    private static final long LINGER = Duration.ofMillis(2).toNanos();
    private static final long LONGEST_BACKOFF = Duration.ofSeconds(2).toNanos();

    private final EngineState state;
    private final Reading reading;
    private final Refusals refusals;
    private final List<Entry> succeeded = new ArrayList<>();
    private final List<Entry> failed = new ArrayList<>();
    private final List<Entry> suspects = new ArrayList<>();
    private final List<Settlement> orphans = new ArrayList<>();

    /** What the settler was given, or is to be given again. */
    private @Nullable SettleWork work;
    /** What is left of a batch that was refused, to be given in this order. */
    private final Deque<SettleWork> pieces = new ArrayDeque<>();

    private boolean busy;
    private long flushAt = Long.MIN_VALUE;
    private long backoff;

    Settling(EngineState state, Reading reading) {
        this.state = state;
        this.reading = reading;
        this.refusals = new Refusals(state, this);
    }

    /** All its destinations confirmed it, or those that could be reached did. */
    void succeed(Entry entry) {
        collect(entry, succeeded);
    }

    void fail(Entry entry) {
        if (entry.lane.lost) {
            state.memory.remove(entry);
            return;
        }
        collect(entry, failed);
    }

    void suspect(Entry entry) {
        collect(entry, suspects);
    }

    /** It was sent, was not delivered, and did no harm: nobody shall blame it for a crash. */
    void acquit(Entry entry) {
        entry.acquitted = true;
        collect(entry, suspects);
    }

    void succeedOrphan(Entry entry) {
        startLinger();
        orphans.add(Settlement.Delivered.orphan(entry));
    }

    private void collect(Entry entry, List<Entry> where) {
        startLinger();
        entry.settling = true;
        where.add(entry);
    }

    private void startLinger() {
        if (waiting() == 0) {
            flushAt = Math.max(flushAt, state.nanos() + (busy ? 0 : LINGER));
        }
    }

    private int waiting() {
        return succeeded.size() + failed.size() + suspects.size() + orphans.size();
    }

    /** When {@link #turn} has something to do. */
    long nextTurn() {
        if (busy) {
            return Long.MAX_VALUE;
        }
        if (work != null || !pieces.isEmpty() || waiting() > 0) {
            return flushAt;
        }
        return state.stopping ? Long.MAX_VALUE : state.setAside.nextTry();
    }

    /** Gives the settler something to do, if it is free and it is time. */
    void turn(List<LaneStore.Lease> releases) {
        if (busy) {
            return;
        }
        boolean due = state.nanos() >= flushAt;
        if (work != null) {
            if (due) {
                give(work);
            }
            return;
        }
        if (!pieces.isEmpty()) {
            give(pieces.remove());
        } else if (!suspects.isEmpty() && due) {
            give(suspectWork());
        } else if (!releases.isEmpty() || waiting() >= ENOUGH || (waiting() > 0 && due)) {
            give(batchWork(releases));
        } else if (waiting() == 0 && !state.stopping) {
            Settlement again = state.setAside.next(state.nanos());
            if (again != null) {
                give(SettleWork.of(again, false));
            }
        }
    }

    private void give(SettleWork given) {
        work = given;
        busy = true;
        state.out.accept(given.command(state.settings.owner()));
    }

    private SettleWork suspectWork() {
        List<Settlement> settlements = new ArrayList<>();
        for (Entry entry : take(suspects)) {
            int crashes = entry.acquitted ? entry.crashes - 1 : Counts.next(entry.crashes);
            entry.lane.counted.put(entry.key().id(), crashes);
            settlements.add(new Settlement.Suspected(
                    new MessageSettler.Suspect(entry.key(), entry.version, entry.lane.lease.epoch(), crashes), entry));
        }
        return new SettleWork(settlements, state.settings.archive(), List.of());
    }

    private SettleWork batchWork(List<LaneStore.Lease> releases) {
        List<Entry> good = take(succeeded);
        List<Settlement> settlements = new ArrayList<>(good.size() + orphans.size());
        for (Entry entry : good) {
            settlements.add(Settlement.Delivered.of(entry));
        }
        settlements.addAll(orphans);
        orphans.clear();
        for (Entry entry : take(failed)) {
            settlements.add(Settlement.Failed.of(failure(entry), entry));
        }
        return new SettleWork(settlements, state.settings.archive(), releases);
    }

    private static List<Entry> take(List<Entry> from) {
        List<Entry> head = from.subList(0, Math.min(MOST, from.size()));
        List<Entry> taken = List.copyOf(head);
        head.clear();
        return taken;
    }

    /** What a failure means for the message: another try later, or the end. */
    private Failure failure(Entry entry) {
        Outcome.Failed failed = Objects.requireNonNull(entry.failure);
        boolean crashed = failed.reason() == FailureReason.POISON;
        int before = entry.row.progress().attempts();
        int attempts = crashed ? before : Counts.next(before);
        RetryPolicy policy =
                state.routes.retry(entry.topic(), entry.row.content().type(), failed.reason());
        boolean over = !policy.allowsAfter(attempts);
        boolean dead = crashed || failed.reason().isPermanent() || over;
        FailureReason reason = over && !failed.reason().isPermanent() ? FailureReason.POISON : failed.reason();
        String error = reason == failed.reason() ? failed.error() : failed.reason() + ": " + failed.error();
        Duration retryAfter = dead ? null : failed.atLeast(policy.delay(attempts, state.random.getAsDouble()));
        state.pulse.failed(state.now);
        state.listener.failed(
                entry.row, entry.failedAt, reason, error, attempts, retryAfter == null ? -1 : retryAfter.toMillis());
        return new Failure(
                entry.key(),
                entry.version,
                entry.lane.lease.epoch(),
                attempts,
                retryAfter,
                holds(entry),
                entry.done & entry.route,
                new MessageSettler.Cause(reason, StorableText.of(error, state.settings.errorLength()), entry.failedAt));
    }

    private boolean holds(Entry entry) {
        return state.routes.onFailure(entry.topic()) == OnFailure.BLOCK;
    }

    /** The settler could not, or its answer was lost: the same again, later, and nothing is sent until then. */
    void failed(String error) {
        busy = false;
        backoff = Math.min(LONGEST_BACKOFF, Math.max(LINGER * 10, backoff * 2));
        flushAt = state.nanos() + backoff;
        state.trouble.began(error, state.nanos());
    }

    /** The database took nothing of it because of what is in it: in halves, and what is alone in another form. */
    void refused(String error) {
        if (Objects.requireNonNull(work).settlements().isEmpty()) {
            failed(error);
            return;
        }
        SettleWork refused = finish();
        if (refused.isSingle()) {
            refusals.refused(refused, error);
            return;
        }
        List<SettleWork> halves = refused.split();
        for (int i = halves.size() - 1; i >= 0; i--) {
            pieces.addFirst(halves.get(i));
        }
    }

    /** To be given before anything else. */
    void next(Settlement settlement, boolean archive) {
        pieces.addFirst(SettleWork.of(settlement, archive));
    }

    void settled(Settled settled) {
        SettleWork done = finish();
        boolean couldRecord = state.canRecord();
        int leaving = 0;
        for (Settlement settlement : done.settlements()) {
            state.setAside.recorded(settlement.key(), state.nanos());
            if (!settled.stale().contains(settlement.key().id())) {
                refusals.recorded(settlement);
            }
            if (settlement instanceof Settlement.Delivered delivered && delivered.entry() != null) {
                leaving += delivered(delivered.entry()) ? 1 : 0;
            } else if (settlement instanceof Settlement.Delivered && state.reading) {
                state.memory.fade(settlement.key());
            } else if (settlement instanceof Settlement.Failed failed) {
                failed(failed.entry(), settled.stale().contains(failed.key().id()));
            }
        }
        if (leaving > settled.left()) {
            state.listener.duplicates(leaving - settled.left());
        }
        if (!settled.stale().isEmpty()) {
            state.listener.overtaken(settled.stale().size());
        }
        released(done.releases());
        if (!couldRecord && state.canRecord()) {
            state.memory.ready.addAll(state.memory.entries());
        }
    }

    /** Whether it has left. */
    boolean delivered(Entry entry) {
        entry.settling = false;
        entry.unsettled = 0;
        if (entry.remaining() == 0) {
            leave(entry);
            return true;
        }
        if (entry.outdated) {
            blockBehind(entry, true);
            leave(entry);
        } else {
            state.memory.ready.add(entry);
        }
        return false;
    }

    private void failed(Entry entry, boolean stale) {
        if (!stale || !recordsConfirmed(entry)) {
            blockBehind(entry, stale);
            leave(entry);
        }
    }

    /**
     * Of a message that somebody changed: nothing else that was to be recorded counts any more, but what destinations have
     * confirmed happened all the same. Whether there is such a thing; then it leaves when that is recorded.
     */
    private boolean recordsConfirmed(Entry entry) {
        if (entry.unsettled == 0 || entry.lane.lost) {
            return false;
        }
        entry.failure = null;
        entry.outdated = true;
        succeed(entry);
        return true;
    }

    private void released(List<LaneStore.Lease> releases) {
        for (LaneStore.Lease lease : releases) {
            OwnedLane lane = state.lane(lease.lane());
            // Lost and taken again meanwhile, it is another one.
            if (lane != null && lane.lease.epoch() == lease.epoch()) {
                state.lanes.remove(lease.lane());
                state.memory.forgetBlocks(stream -> stream.lane == lease.lane());
            }
        }
        if (!releases.isEmpty()) {
            state.setAside.forgetFailures();
            state.listener.lanes(state.lanes.size(), "gave back " + releases.size());
        }
    }

    void suspected(Set<UUID> ids) {
        for (Settlement settlement : finish().settlements()) {
            Entry entry = Objects.requireNonNull(settlement.entry());
            entry.settling = false;
            if (ids.contains(entry.key().id())) {
                counted(entry);
            } else {
                // Somebody changed it: what it is now comes with the next read, with the crashes that we counted.
                if (entry.acquitted) {
                    entry.lane.counted.put(entry.key().id(), entry.crashes);
                }
                if (!recordsConfirmed(entry)) {
                    readAgain(entry);
                    leave(entry);
                }
            }
        }
    }

    private void counted(Entry entry) {
        entry.version = Counts.next(entry.version);
        entry.crashes = entry.acquitted ? entry.crashes - 1 : Counts.next(entry.crashes);
        entry.cleared = true;
        if (entry.acquitted) {
            entry.suspect = false;
            entry.lane.acquitted.add(entry.key().id());
            entry.lane.counted.remove(entry.key().id());
        }
        state.memory.ready.add(entry);
    }

    /** The database has answered. */
    private SettleWork finish() {
        SettleWork done = Objects.requireNonNull(work);
        work = null;
        busy = false;
        backoff = 0;
        flushAt = state.nanos();
        if (state.trouble.ended()) {
            state.memory.ready.addAll(state.memory.entries());
        }
        return done;
    }

    /**
     * Later messages of the stream wait for the failed one in the database now. If the failure was not recorded, the row
     * is not what we thought; whether it still holds its stream is then asked, and until the answer comes it does.
     */
    private void blockBehind(Entry entry, boolean stale) {
        if (entry.lane.lost) {
            return;
        }
        if (stale) {
            readAgain(entry);
        }
        if (entry.isOrdered() && holds(entry)) {
            StreamState stream = state.memory.stream(entry.row.stream(), entry.lane.number);
            state.memory.block(stream, stale ? -1L : entry.remaining(), entry.seq(), state.reads);
            if (stale) {
                reading.recheck(stream);
            }
            state.memory.look(stream);
        }
    }

    private static void readAgain(Entry entry) {
        if (entry.isReady()) {
            entry.lane.rewind(entry.seq() - 1);
        } else {
            entry.lane.rewindDue();
        }
    }

    private void leave(Entry entry) {
        entry.lane.movedAt = state.nanos();
        if (entry.remaining() == 0) {
            entry.lane.counted.remove(entry.key().id());
            entry.lane.acquitted.remove(entry.key().id());
        }
        state.memory.remove(entry);
        if (state.reading) {
            state.memory.fade(entry.key());
        }
        StreamState stream = entry.stream;
        if (stream == null || stream.forgotten || entry.lane.lost) {
            return;
        }
        if (entry.isHolder() && stream.isBlocked()) {
            reading.recheck(stream);
        }
        if (stream.isOverflowing() && stream.queue.size() <= StreamState.MOST / 4) {
            stream.takeUp(entry.lane);
            state.memory.forgetIfEmpty(stream);
        }
        state.memory.look(stream);
    }

    boolean hasWorkOf(OwnedLane lane) {
        return (work != null && work.concerns(lane)) || pieces.stream().anyMatch(piece -> piece.concerns(lane));
    }
}
