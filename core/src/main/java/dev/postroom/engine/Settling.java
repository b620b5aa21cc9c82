package dev.postroom.engine;

import dev.postroom.FailureReason;
import dev.postroom.policy.OnFailure;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler;
import dev.postroom.spi.MessageSettler.Failure;
import dev.postroom.spi.MessageSettler.Settled;
import dev.postroom.spi.MessageSettler.Success;
import dev.postroom.spi.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The settler's desk: collects outcomes and has them recorded, many at a time. A batch whose answer did not come is given
 * again as it was; until then its messages stay in memory, so nothing else can happen to them.
 */
final class Settling {
    private static final int MOST = 4_096;
    private static final int ENOUGH = 256;
    private static final long LINGER = Duration.ofMillis(2).toNanos();
    private static final long LONGEST_BACKOFF = Duration.ofSeconds(2).toNanos();

    private final EngineState state;
    private final Reading reading;
    private final List<Entry> succeeded = new ArrayList<>();
    private final List<Entry> failed = new ArrayList<>();
    private final List<Entry> suspects = new ArrayList<>();
    private final List<Success> orphans = new ArrayList<>();

    private @Nullable Work work;
    private boolean busy;
    private long flushAt = Long.MIN_VALUE;
    private long backoff;

    /** What the settler was given, or is to be given again. */
    private record Work(Command.ForSettler command, List<Entry> succeeded, List<Entry> failed, List<Entry> suspects) {}

    Settling(EngineState state, Reading reading) {
        this.state = state;
        this.reading = reading;
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
        orphans.add(new Success(entry.key(), entry.done & entry.route, entry.route));
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

    boolean isIdle() {
        return !busy && work == null && waiting() == 0;
    }

    /** When {@link #turn} has something to do. */
    long nextTurn() {
        return busy || (work == null && waiting() == 0) ? Long.MAX_VALUE : flushAt;
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
        if (!suspects.isEmpty() && due) {
            give(suspectWork());
        } else if (!releases.isEmpty() || waiting() >= ENOUGH || (waiting() > 0 && due)) {
            give(batchWork(releases));
        }
    }

    private void give(Work given) {
        work = given;
        busy = true;
        state.out.accept(given.command());
    }

    private Work suspectWork() {
        List<Entry> some = take(suspects);
        List<MessageSettler.Suspect> rows = new ArrayList<>();
        for (Entry entry : some) {
            int crashes = entry.crashes + (entry.acquitted ? -1 : 1);
            entry.lane.counted.put(entry.key().id(), crashes);
            rows.add(new MessageSettler.Suspect(entry.key(), entry.version, entry.lane.lease.epoch(), crashes));
        }
        return new Work(new Command.Suspect(state.settings.owner(), rows), List.of(), List.of(), some);
    }

    private Work batchWork(List<LaneStore.Lease> releases) {
        List<Entry> good = take(succeeded);
        List<Entry> bad = take(failed);
        List<Success> successes = new ArrayList<>(good.size() + orphans.size());
        for (Entry entry : good) {
            successes.add(new Success(entry.key(), entry.done & entry.route, entry.route));
        }
        successes.addAll(orphans);
        orphans.clear();
        List<Failure> failures = bad.stream().map(this::failure).toList();
        return new Work(
                new Command.Settle(new MessageSettler.Batch(
                        state.settings.owner(), successes, failures, state.settings.archive(), releases)),
                good,
                bad,
                List.of());
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
        int attempts = entry.row.progress().attempts() + (crashed ? 0 : 1);
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
                new MessageSettler.Cause(reason, KeptError.of(error, state.settings.errorLength()), entry.failedAt));
    }

    private boolean holds(Entry entry) {
        return state.routes.onFailure(entry.topic()) == OnFailure.BLOCK;
    }

    /** The settler could not, or its answer was lost: the same again, later. */
    void failed() {
        busy = false;
        backoff = Math.min(LONGEST_BACKOFF, Math.max(LINGER * 10, backoff * 2));
        flushAt = state.nanos() + backoff;
    }

    void settled(Settled settled) {
        Work done = finish();
        int leaving = 0;
        for (Entry entry : done.succeeded()) {
            entry.settling = false;
            entry.unsettled = 0;
            if (entry.remaining() == 0) {
                leaving++;
                leave(entry);
            } else if (entry.outdated) {
                blockBehind(entry, true);
                leave(entry);
            } else {
                state.memory.ready.add(entry);
            }
        }
        if (leaving > settled.left()) {
            state.listener.duplicates(leaving - settled.left());
        }
        for (Entry entry : done.failed()) {
            boolean stale = settled.stale().contains(entry.key().id());
            if (stale && entry.unsettled != 0 && !entry.lane.lost) {
                // The failure was not recorded, but what other destinations confirmed happened all the same.
                entry.failure = null;
                entry.outdated = true;
                succeed(entry);
            } else {
                blockBehind(entry, stale);
                leave(entry);
            }
        }
        if (!settled.stale().isEmpty()) {
            state.listener.overtaken(settled.stale().size());
        }
        if (done.command() instanceof Command.Settle settle) {
            for (LaneStore.Lease lease : settle.batch().releases()) {
                state.lanes.remove(lease.lane());
                state.memory.forgetBlocks(stream -> stream.lane == lease.lane());
            }
            if (!settle.batch().releases().isEmpty()) {
                state.listener.lanes(
                        state.lanes.size(),
                        "gave back " + settle.batch().releases().size());
            }
        }
    }

    void suspected(Set<UUID> ids) {
        for (Entry entry : finish().suspects()) {
            entry.settling = false;
            if (ids.contains(entry.key().id())) {
                entry.version++;
                entry.crashes += entry.acquitted ? -1 : 1;
                entry.cleared = true;
                if (entry.acquitted) {
                    entry.suspect = false;
                    entry.lane.acquitted.add(entry.key().id());
                    entry.lane.counted.remove(entry.key().id());
                }
                state.memory.ready.add(entry);
            } else {
                // Somebody changed it: what it is now comes with the next read, with the crashes that we counted.
                if (entry.acquitted) {
                    entry.lane.counted.put(entry.key().id(), entry.crashes);
                }
                readAgain(entry);
                leave(entry);
            }
        }
    }

    private Work finish() {
        Work done = Objects.requireNonNull(work);
        work = null;
        busy = false;
        backoff = 0;
        flushAt = state.nanos();
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
            state.memory.fade(entry);
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
        return work != null
                && (work.succeeded().stream().anyMatch(entry -> entry.lane == lane)
                        || work.failed().stream().anyMatch(entry -> entry.lane == lane));
    }
}
