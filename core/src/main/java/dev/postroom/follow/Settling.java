package dev.postroom.follow;

import dev.postroom.FailureReason;
import dev.postroom.engine.Counts;
import dev.postroom.engine.EngineListener;
import dev.postroom.engine.EngineSettings;
import dev.postroom.engine.Pulse;
import dev.postroom.engine.Refusals;
import dev.postroom.engine.SetAside;
import dev.postroom.engine.SettleTrouble;
import dev.postroom.engine.SettleWork;
import dev.postroom.engine.Settlement;
import dev.postroom.policy.OnFailure;
import dev.postroom.policy.RetryPolicy;
import dev.postroom.policy.Routes;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.MessageSettler;
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
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
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

    private final Turn turn;
    private final Memory memory;
    private final EngineSettings settings;
    private final Routes routes;
    private final DoubleSupplier random;
    private final EngineListener listener;
    private final Pulse pulse;
    private final SetAside setAside;
    private final SettleTrouble trouble = new SettleTrouble();
    private final Refusals refusals;
    private final Runnable canRecordAgain;
    private final Deque<Message> collected = new ArrayDeque<>();
    private final Deque<Message> toCount = new ArrayDeque<>();
    private final List<Settlement> orphans = new ArrayList<>();

    /** What the settler was given, or is to be given again. */
    private @Nullable SettleWork work;
    /** What is left of a batch that was refused, to be given in this order. */
    private final Deque<SettleWork> pieces = new ArrayDeque<>();

    private boolean busy;
    /** How many servers reads had met when the settler was given its work. */
    private int serversBefore;

    private long flushAt = Long.MIN_VALUE;
    private long backoff;

    /** A message whose crash is counted, or uncounted. */
    private record Counting(Message message, int crashes, boolean acquits) implements Settlement.Subject {
        @Override
        public dev.postroom.spi.RowKey key() {
            return message.key();
        }

        @Override
        public dev.postroom.engine.HeldLane lane() {
            return message.lane();
        }

        @Override
        public boolean isPresent() {
            return message.isInMemory();
        }

        @Override
        public dev.postroom.spi.StoredMessage row() {
            return message.row().message();
        }

        @Override
        public @Nullable String failedAt() {
            return null;
        }

        @Override
        public MessageSettler.Success success() {
            throw new IllegalStateException("nothing was confirmed of " + message + ", whose crash is counted");
        }
    }

    Settling(
            Turn turn,
            Memory memory,
            EngineSettings settings,
            Routes routes,
            DoubleSupplier random,
            EngineListener listener,
            Pulse pulse,
            Runnable canRecordAgain) {
        this.turn = turn;
        this.memory = memory;
        this.settings = settings;
        this.routes = routes;
        this.random = random;
        this.listener = listener;
        this.pulse = pulse;
        this.setAside = new SetAside(settings.lease());
        this.refusals = new Refusals(setAside, listener, new Desk());
        this.canRecordAgain = canRecordAgain;
    }

    // --- what is to be recorded ---

    /** A delivery of it has come to something. */
    void collect(Message message) {
        if (!message.isCollected()) {
            startLinger();
            message.collected(true);
            collected.add(message);
        }
    }

    /** It is about to be sent, and may have killed a relay. */
    void count(Message message) {
        startLinger();
        message.countingBegan();
        toCount.add(message);
    }

    /**
     * It was sent, was not delivered, and did no harm: nobody shall blame it for a crash. That is recorded before a failure is, which takes it
     * out of memory.
     */
    void acquitIfUnharmed(Message message) {
        boolean unharmed = message.isInMemory() && !message.isAnythingSent() && !message.isAnythingSettling();
        if (unharmed && message.isSuspect() && message.isCleared() && !message.isBeingCounted()) {
            count(message);
        }
    }

    /** Confirmed after its lane was lost. */
    void orphan(MessageSettler.Success success) {
        startLinger();
        orphans.add(new Settlement.Delivered(success, null, null));
    }

    private void startLinger() {
        if (waiting() == 0) {
            flushAt = Math.max(flushAt, turn.nanos() + (busy ? 0 : LINGER));
        }
    }

    private int waiting() {
        return collected.size() + toCount.size() + orphans.size();
    }

    SetAside setAside() {
        return setAside;
    }

    SettleTrouble trouble() {
        return trouble;
    }

    /** Whether what is sent now can be recorded afterwards, as far as anybody knows. */
    boolean canRecord() {
        return !trouble.isOn() && !setAside.isFull();
    }

    long nextTurn() {
        if (busy) {
            return Long.MAX_VALUE;
        }
        if (work != null || !pieces.isEmpty() || waiting() > 0) {
            return flushAt;
        }
        return turn.isStopping() ? Long.MAX_VALUE : setAside.nextTry();
    }

    // --- work for the settler ---

    /** Gives the settler something to do, if it is free and it is time. */
    void turn(List<LaneStore.Lease> releases) {
        if (busy) {
            return;
        }
        boolean due = turn.nanos() - flushAt >= 0 || flushAt == Long.MIN_VALUE;
        if (work != null) {
            if (due) {
                give(work);
            }
        } else if (!pieces.isEmpty()) {
            give(pieces.remove());
        } else if (!toCount.isEmpty() && due) {
            give(countWork());
        } else if (!releases.isEmpty() || waiting() >= ENOUGH || (waiting() > 0 && due)) {
            give(batchWork(releases));
        } else if (waiting() == 0 && !turn.isStopping()) {
            Settlement again = setAside.next(turn.nanos());
            if (again != null) {
                give(SettleWork.of(again, false));
            }
        }
    }

    private void give(SettleWork given) {
        if (given.settlements().isEmpty() && given.releases().isEmpty()) {
            return;
        }
        work = given;
        busy = true;
        serversBefore = memory.servers();
        turn.give(given.command(settings.owner()));
    }

    private SettleWork countWork() {
        List<Settlement> settlements = new ArrayList<>();
        for (Message message : take(toCount)) {
            boolean acquits = message.isCleared();
            if (!message.isInMemory()) {
                message.countingEnded();
                continue;
            }
            int crashes = acquits ? message.crashes() - 1 : Counts.next(message.crashes());
            message.lane().count(message.key(), crashes);
            settlements.add(new Settlement.Suspected(
                    new MessageSettler.Suspect(
                            message.key(),
                            versionOf(message),
                            message.lane().lease().epoch(),
                            crashes),
                    new Counting(message, crashes, acquits)));
        }
        return new SettleWork(settlements, settings.archive(), List.of());
    }

    private static int versionOf(Message message) {
        int version = 0;
        for (Delivery delivery = message.first(); delivery != null; delivery = delivery.sibling()) {
            version = Math.max(version, delivery.version());
        }
        return version;
    }

    private SettleWork batchWork(List<LaneStore.Lease> releases) {
        List<Settlement> settlements = new ArrayList<>(collected.size() + orphans.size());
        for (Message message : take(collected)) {
            message.collected(false);
            Result result = Result.of(message);
            if (result != null) {
                settlements.add(
                        result.isFailure()
                                ? Settlement.Failed.of(failure(result), result)
                                : Settlement.Delivered.of(result));
            }
        }
        settlements.addAll(orphans);
        orphans.clear();
        return new SettleWork(settlements, settings.archive(), releases);
    }

    private static List<Message> take(Deque<Message> from) {
        List<Message> taken = new ArrayList<>(Math.min(MOST, from.size()));
        while (!from.isEmpty() && taken.size() < MOST) {
            taken.add(from.remove());
        }
        return taken;
    }

    /** What a failure means for the message: another try later, or the end. */
    private MessageSettler.Failure failure(Result result) {
        Message message = result.message();
        Outcome.Failed failed = result.decisive().failure();
        boolean crashed = failed.reason() == FailureReason.POISON;
        int attempts = result.attempts();
        RetryPolicy policy = policy(message, failed);
        boolean over = !result.isSpared() && !policy.allowsAfter(attempts);
        boolean fatal = result.decisive().isFatal();
        boolean dead = fatal || (!result.isSpared() && (crashed || over));
        FailureReason reason = over && !fatal ? FailureReason.POISON : failed.reason();
        String error = reason == failed.reason() ? failed.error() : failed.reason() + ": " + failed.error();
        int tries = result.isSpared() ? Counts.next(attempts) : attempts;
        Duration retryAfter = dead ? null : failed.atLeast(policy.delay(tries, random.getAsDouble()));
        pulse.failed(turn.now());
        listener.failed(
                message.row().message(),
                result.failedAt(),
                reason,
                error,
                attempts,
                retryAfter == null ? -1 : retryAfter.toMillis());
        return new MessageSettler.Failure(
                message.key(),
                result.version(),
                message.lane().lease().epoch(),
                attempts,
                retryAfter,
                routes.onFailure(message.topic().name()) == OnFailure.BLOCK,
                result.confirmedSoFar(),
                new MessageSettler.Cause(reason, StorableText.of(error, settings.errorLength()), result.failedAt()));
    }

    private RetryPolicy policy(Message message, Outcome.Failed failed) {
        return routes.retry(
                message.topic().name(), message.row().message().content().type(), failed.reason());
    }

    /** See {@link Traffic.Attempts}. */
    boolean isLast(Delivery delivery, Outcome.Failed failed) {
        return !policy(delivery.message(), failed).allowsAfter(Counts.next(delivery.attemptsBefore()));
    }

    // --- its answers ---

    /** The settler could not, or its answer was lost: the same again, later, and nothing is sent until then. */
    void failed(String error) {
        busy = false;
        backoff = Math.min(LONGEST_BACKOFF, Math.max(LINGER * 10, backoff * 2));
        flushAt = turn.nanos() + backoff;
        trouble.began(error, turn.nanos());
    }

    /** The database took nothing of it because of what is in it: in halves, and what is alone in another form. */
    void refused(String error) {
        if (Objects.requireNonNull(work).settlements().isEmpty()) {
            failed(error);
            return;
        }
        SettleWork refused = finish();
        if (refused.isSingle()) {
            refusals.refused(refused, error, turn.nanos());
            return;
        }
        List<SettleWork> halves = refused.split();
        for (int i = halves.size() - 1; i >= 0; i--) {
            pieces.addFirst(halves.get(i));
        }
    }

    /** @param released hears of the lanes that were given back */
    void settled(MessageSettler.Settled settled, Consumer<List<LaneStore.Lease>> released) {
        if (giveAgainIfInDoubt()) {
            return;
        }
        SettleWork done = finish();
        boolean couldRecord = canRecord();
        int leaving = 0;
        for (Settlement settlement : done.settlements()) {
            boolean stale = settled.stale().contains(settlement.key().id());
            setAside.recorded(settlement.key(), turn.nanos());
            if (!stale) {
                refusals.recorded(settlement);
            }
            if (settlement.subject() instanceof Result result) {
                leaving += recorded(result, stale) ? 1 : 0;
            } else if (settlement instanceof Settlement.Delivered delivered) {
                memory.settledAside(settlement.key().id(), delivered.success().confirmed());
            }
        }
        if (leaving > settled.left()) {
            listener.duplicates(leaving - settled.left());
        }
        if (!settled.stale().isEmpty()) {
            listener.overtaken(settled.stale().size());
        }
        if (!done.releases().isEmpty()) {
            released.accept(done.releases());
        }
        if (!couldRecord && canRecord()) {
            canRecordAgain.run();
        }
    }

    /** Whether the message has left for good. */
    private boolean recorded(Result result, boolean stale) {
        Message message = result.message();
        message.setAside(null);
        message.lane().moved(turn.nanos());
        if (stale) {
            result.stale();
        } else {
            result.recorded();
        }
        if (message.isAnythingUnsettled()) {
            acquitIfUnharmed(message);
            collect(message);
        }
        if (message.hasArrivedEverywhere()) {
            message.lane().forget(message.key());
            return !result.isFailure();
        }
        return false;
    }

    /**
     * Whether reads have met another server meanwhile: who recorded it may have been the one before, and rows that are back were not taken
     * while they were in memory. So the answer counts as lost.
     */
    private boolean giveAgainIfInDoubt() {
        boolean inDoubt = serversBefore != memory.servers();
        if (inDoubt) {
            busy = false;
            flushAt = turn.nanos();
        }
        return inDoubt;
    }

    void counted(Set<UUID> ids) {
        if (giveAgainIfInDoubt()) {
            return;
        }
        for (Settlement settlement : finish().settlements()) {
            Counting counting = (Counting) Objects.requireNonNull(settlement.subject());
            Message message = counting.message();
            message.countingEnded();
            if (!ids.contains(message.key().id())) {
                overtaken(counting);
            } else {
                message.raiseVersion(versionOf(message));
                message.counted(counting.crashes(), counting.acquits());
                if (counting.acquits()) {
                    message.lane().acquit(message.key());
                }
            }
            if (message.isAnythingUnsettled()) {
                collect(message);
            }
        }
        canRecordAgain.run();
    }

    /** Somebody changed it: what it is now comes with a read, with the crashes that we counted. */
    private static void overtaken(Counting counting) {
        Message message = counting.message();
        if (counting.acquits()) {
            message.lane().count(message.key(), message.crashes());
            message.believeRow();
        }
        for (Delivery delivery = message.first(); delivery != null; delivery = delivery.sibling()) {
            if (delivery.isQueued()) {
                delivery.track().abandon(delivery);
            }
        }
    }

    /** The database has answered. */
    private SettleWork finish() {
        SettleWork done = Objects.requireNonNull(work);
        work = null;
        busy = false;
        backoff = 0;
        flushAt = turn.nanos();
        if (trouble.ended()) {
            canRecordAgain.run();
        }
        return done;
    }

    boolean hasWorkOf(Lane lane) {
        return (work != null && work.concerns(lane)) || pieces.stream().anyMatch(piece -> piece.concerns(lane));
    }

    /** Somebody changed a message since its failure was set aside: nothing is to be recorded any more but what was confirmed. */
    void forgetFailure(Message message) {
        Result failure = message.setAside();
        if (failure != null) {
            message.setAside(null);
            setAside.forgetFailure(message.key());
            failure.stale();
            if (message.isAnythingUnsettled()) {
                collect(message); // what its other deliveries came to meanwhile
            }
        }
    }

    /** Does what refusals come to. */
    private final class Desk implements Refusals.Desk {
        @Override
        public void next(Settlement settlement, boolean archive) {
            pieces.addFirst(SettleWork.of(settlement, archive));
        }

        @Override
        public void delivered(Settlement.Subject subject) {
            recorded((Result) subject, false);
        }

        @Override
        public void setAside(Settlement.Subject subject) {
            ((Result) subject).message().setAside((Result) subject);
        }

        /** A crash that cannot be counted might be the last of many; one that cannot be taken back stays counted. */
        @Override
        public void notCounted(Settlement.Subject subject, String error) {
            Counting counting = (Counting) subject;
            Message message = counting.message();
            message.countingEnded();
            if (counting.acquits()) {
                message.lane().count(message.key(), message.crashes());
                canRecordAgain.run();
                return;
            }
            for (Delivery delivery = message.first(); delivery != null; delivery = delivery.sibling()) {
                if (delivery.isQueued()) {
                    delivery.track()
                            .failed(
                                    delivery,
                                    new Outcome.Failed(
                                            FailureReason.POISON, Refusals.NOT_COUNTED + error, Outcome.Scope.MESSAGE));
                }
            }
            collect(message);
        }
    }
}
