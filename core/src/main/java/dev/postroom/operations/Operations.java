package dev.postroom.operations;

import dev.postroom.PostroomException;
import dev.postroom.Stream;
import dev.postroom.operations.OperationsStore.Auditing;
import dev.postroom.operations.OperationsStore.Effect;
import dev.postroom.operations.OperationsStore.ReplayPosition;
import dev.postroom.operations.OperationsStore.ReplayStep;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one operator sees and does. Everything that changes something takes a reason, which is written to the audit with
 * the operator's name in the same transaction; only a dry run needs none. Large actions are worked off in transactions
 * of at most {@value OperationsStore#MOST_CHANGES} rows: if one fails, those before it stay done, and repeating the
 * action goes on. A progress callback hears, after each, how many rows changed so far. Thread-safe.
 *
 * <p>What makes no sense (no reason, a page beyond the last allowed) is refused with a {@link PostroomException} that
 * says what to do; when the database refuses, it is a {@link dev.postroom.DatabaseException}.
 */
public final class Operations {
    public static final int LONGEST_REASON = 500;
    public static final int MOST_IDS = 1_000;
    public static final int DEFAULT_PAYLOAD_BYTES = 64 * 1024;
    public static final int MOST_PAYLOAD_BYTES = 16 * 1024 * 1024;

    private static final int LONGEST_ACTOR = 128;
    private static final int LONGEST_TARGET = 2_000;
    private static final int FAILURES_LOOKED_AT = 5_000;
    private static final int PURGE_STEP = 5_000;

    private final String actor;
    private final OperationsStore store;
    private final Maintenance maintenance;

    private Operations(String actor, OperationsStore store, Maintenance maintenance) {
        this.actor = actor;
        this.store = store;
        this.maintenance = maintenance;
    }

    /** Operations in the name of somebody, who is written to the audit. */
    public static Operations as(String actor, OperationsStore store, Maintenance maintenance) {
        if (actor.isBlank() || actor.length() > LONGEST_ACTOR) {
            throw new PostroomException(
                    "whoever operates needs a name of 1 to " + LONGEST_ACTOR + " characters (was '" + actor + "')");
        }
        return new Operations(actor, store, maintenance);
    }

    // --- what there is ---

    /** Newest first; {@code page} from 0, {@code pageSize} up to {@value MessagePage#MOST_ITEMS}. */
    public MessagePage list(MessageFilter filter, int page, int pageSize) {
        checkPage(page, pageSize);
        return store.list(filter, page, pageSize);
    }

    /** The message, live or archived, with the first {@value #DEFAULT_PAYLOAD_BYTES} bytes of its payload. */
    public Optional<MessageDetail> find(UUID id) {
        return find(id, DEFAULT_PAYLOAD_BYTES);
    }

    /** The message, live or archived, with its payload up to this many bytes. */
    public Optional<MessageDetail> find(UUID id, int maxPayloadBytes) {
        if (maxPayloadBytes < 0 || maxPayloadBytes > MOST_PAYLOAD_BYTES) {
            throw new PostroomException("the payload can be shown up to " + MOST_PAYLOAD_BYTES + " bytes (asked for "
                    + maxPayloadBytes + ")");
        }
        return store.find(id, maxPayloadBytes);
    }

    public Stats stats() {
        return store.stats().withRates(store.nodes());
    }

    /**
     * What meters show, in one short transaction.
     *
     * @param poisonAttempts how many failed attempts make a message one that may never be delivered
     */
    public Gauges gauges(int poisonAttempts) {
        if (poisonAttempts < 1) {
            throw new PostroomException("messages are suspicious after 1 failed attempt or more (was " + poisonAttempts
                    + "): give at least 1");
        }
        return store.gauges(poisonAttempts);
    }

    /** The largest groups of like failures, among the latest {@value #FAILURES_LOOKED_AT} failed and dead messages. */
    public List<FailureGroup> failures(int limit) {
        return store.failures(FAILURES_LOOKED_AT, checkLimit(limit));
    }

    /** The streams held longest, first. */
    public List<BlockedStream> blockedStreams(int limit) {
        return store.blockedStreams(checkLimit(limit));
    }

    public List<Pause> pauses() {
        return store.pauses();
    }

    public List<DestinationItem> destinations() {
        return store.destinations();
    }

    public List<NodeItem> nodes() {
        return store.nodes();
    }

    public List<LaneItem> lanes() {
        return store.lanes();
    }

    /** How the tables lie in the database. */
    public StorageFacts storage() {
        return store.storage();
    }

    /** Newest first; paged like {@link #list}. */
    public List<AuditEntry> audit(int page, int pageSize) {
        checkPage(page, pageSize);
        return store.audit(page, pageSize);
    }

    // --- chosen messages ---

    /** How many of these messages the change fits. */
    public ActionResult dryRun(Change change, Collection<UUID> ids) {
        return new ActionResult(store.count(checkIds(ids), change), 0);
    }

    /** Changes those of these messages that the change fits, in one transaction. */
    public ActionResult change(Change change, Collection<UUID> ids, @Nullable String reason) {
        List<UUID> chosen = checkIds(ids);
        Auditing auditing = auditing(change.label(), describe(chosen), reason);
        long matched = store.count(chosen, change);
        return new ActionResult(matched, store.change(change, chosen, auditing.matching(matched)));
    }

    /** Changes the messages that match, oldest first, up to the limit; a dry run needs no reason. */
    public ActionResult change(Change change, Bulk bulk, @Nullable String reason) {
        return change(change, bulk, reason, changed -> {});
    }

    /** Changes the messages that match, oldest first, up to the limit; a dry run needs no reason. */
    public ActionResult change(Change change, Bulk bulk, @Nullable String reason, LongConsumer progress) {
        if (bulk.dryRun()) {
            return new ActionResult(store.count(bulk.filter(), change, Bulk.MOST), 0);
        }
        Auditing auditing = auditing(change.label(), bulk.filter().describe(), reason);
        // Chosen once: a changed message may still match, and would be changed again and again.
        List<UUID> chosen = store.select(bulk.filter(), change, bulk.limit());
        long matched = chosen.size() < bulk.limit() ? chosen.size() : store.count(bulk.filter(), change, Bulk.MOST);
        long changed = 0;
        Auditing part = auditing.matching(matched);
        for (int from = 0; from < chosen.size(); from += OperationsStore.MOST_CHANGES) {
            int to = Math.min(chosen.size(), from + OperationsStore.MOST_CHANGES);
            try {
                changed += store.change(change, chosen.subList(from, to), part);
            } catch (RuntimeException e) {
                recordInspite(part, new Effect(0, chosen.size() - from, "", "given up: " + brief(e)), e);
                throw e;
            }
            part = part.next();
            progress.accept(changed);
        }
        return new ActionResult(matched, changed);
    }

    // --- streams ---

    /** Lets a blocked stream go on: every message that holds it holds nobody any more. */
    public ActionResult releaseStream(Stream stream, @Nullable String reason) {
        Auditing auditing = auditing("release", describe(stream), reason);
        long changed = 0;
        int step;
        do {
            step = store.releaseStream(stream, List.of(), OperationsStore.MOST_CHANGES, auditing);
            changed += step;
            auditing = auditing.next();
        } while (step > 0); // a step may be short because a relay settled one of its messages in between
        return new ActionResult(changed, changed);
    }

    /** Lets only these messages of the stream go on, ahead of those that hold it. */
    public ActionResult releaseStream(Stream stream, Collection<UUID> ids, @Nullable String reason) {
        List<UUID> chosen = checkIds(ids);
        Auditing auditing = auditing("release", describe(stream) + " " + describe(chosen), reason);
        int changed = store.releaseStream(stream, chosen, chosen.size(), auditing);
        return new ActionResult(chosen.size(), changed);
    }

    // --- replay ---

    /** How many archived messages a replay would send again, counted no further than {@value Bulk#MOST}. */
    public ActionResult dryRunReplay(ReplayRequest request) {
        return new ActionResult(store.countReplay(request, Bulk.MOST), 0);
    }

    /** Sends up to {@code limit} archived messages again, in order, with their ids, to the one destination. */
    public ActionResult replay(ReplayRequest request, int limit, @Nullable String reason, LongConsumer progress) {
        Bulk.checkLimit(limit);
        Auditing auditing = auditing("replay", request.describe(), reason);
        long matched = store.countReplay(request, Bulk.MOST);
        Auditing part = auditing.matching(matched);
        long changed = 0;
        @Nullable ReplayPosition position = ReplayPosition.START;
        while (position != null && changed < limit) {
            int most = (int) Math.min(OperationsStore.MOST_CHANGES, limit - changed);
            ReplayStep step = store.replay(request, position, most, part);
            part = part.next();
            changed += step.changed();
            position = step.next();
            progress.accept(changed);
        }
        return new ActionResult(matched, changed);
    }

    // --- pauses ---

    /** Stops sending to a destination, of a topic, or everything. Pausing again replaces who and why. */
    public void pause(Pause.Target target, @Nullable String reason) {
        store.pause(target, auditing("pause", target.describe(), reason));
    }

    /** Goes on sending; false when this was not paused. */
    public boolean resume(Pause.Target target, @Nullable String reason) {
        return store.resume(target, auditing("resume", target.describe(), reason));
    }

    // --- erasure ---

    /** What an erasure would remove, and from where. */
    public ErasureResult dryRunErase(ErasureRequest request) {
        return new Erasing(store, request).dryRun();
    }

    /**
     * Removes messages with all that is kept about them, in whatever state they are: live, archived, failed attempts and their errors,
     * idempotency keys, what consumers remember. The audit gets their ids and the reason, which must not name what is erased. What a relay
     * has in its hands at that moment may still arrive; nothing of it comes back into the tables.
     */
    public ErasureResult erase(ErasureRequest request, @Nullable String reason, LongConsumer progress) {
        return new Erasing(store, request).erase(auditing("erase", "", reason), progress);
    }

    // --- purge ---

    /** How many archived messages a purge would remove, counted no further than {@value Bulk#MOST}. */
    public ActionResult dryRunPurge(Duration olderThan) {
        return new ActionResult(maintenance.countArchive(checkAge(olderThan), Bulk.MOST), 0);
    }

    /**
     * Removes archived messages and records of failed attempts older than this, and idempotency keys whose window is
     * over. Live messages, the inbox and the audit are left alone. Counts archived messages only.
     */
    public ActionResult purge(Duration olderThan, @Nullable String reason, LongConsumer progress) {
        return purge(olderThan, Long.MAX_VALUE, reason, progress);
    }

    /**
     * As {@link #purge(Duration, String, LongConsumer)}, but goes no further once {@code limit} archived messages are
     * gone: repeat it until it changes nothing. A partition goes as a whole, so more may go.
     */
    public ActionResult purge(Duration olderThan, long limit, @Nullable String reason, LongConsumer progress) {
        checkAge(olderThan);
        Auditing auditing = auditing("purge", "archive older than " + olderThan, reason);
        Purge purge = new Purge(progress);
        try {
            if (purge.archive(olderThan, limit)) {
                purge.rest(olderThan);
            }
        } catch (RuntimeException e) {
            recordInspite(auditing, purged(purge.removed), e);
            throw e;
        }
        if (purge.removed > 0) {
            store.record(auditing.matching(purge.removed), purged(purge.removed));
        }
        return new ActionResult(purge.removed, purge.removed);
    }

    private static Effect purged(long removed) {
        return new Effect(removed, 0, removed + " archived", removed + " removed");
    }

    /** What was done stays done, and what was given up was asked for: both must be in the audit. */
    private void recordInspite(Auditing auditing, Effect effect, RuntimeException cause) {
        try {
            store.record(auditing, effect);
        } catch (RuntimeException e) {
            cause.addSuppressed(e);
        }
    }

    private final class Purge {
        private final LongConsumer progress;
        private long removed;

        Purge(LongConsumer progress) {
            this.progress = progress;
        }

        /** Whether nothing is left. */
        boolean archive(Duration olderThan, long limit) {
            while (removed < limit) {
                long step = maintenance.purgeArchive(olderThan, (int) Math.min(PURGE_STEP, limit - removed));
                if (step <= 0) {
                    return true;
                }
                removed += step;
                progress.accept(removed);
            }
            return false;
        }

        void rest(Duration olderThan) {
            while (maintenance.purgeAttempts(olderThan, PURGE_STEP) > 0) {
                progress.accept(removed);
            }
            while (maintenance.purgeDedup(PURGE_STEP) > 0) {
                progress.accept(removed);
            }
        }
    }

    // --- checks ---

    private static String brief(RuntimeException e) {
        String text = String.valueOf(e.getMessage());
        return text.length() <= LONGEST_REASON ? text : text.substring(0, LONGEST_REASON - 1) + "…";
    }

    private Auditing auditing(String action, String target, @Nullable String reason) {
        if (reason == null || reason.isBlank()) {
            throw new PostroomException(
                    "a reason is needed, it is written to the audit with your name: say why in a few words");
        }
        if (reason.length() > LONGEST_REASON) {
            throw new PostroomException("the reason must be at most " + LONGEST_REASON + " characters (was "
                    + reason.length() + "): shorten it");
        }
        return Auditing.of(actor, action, fitting(target), reason.strip());
    }

    private static void checkPage(int page, int pageSize) {
        if (pageSize < 1 || pageSize > MessagePage.MOST_ITEMS) {
            throw new PostroomException("pageSize must be 1 to " + MessagePage.MOST_ITEMS + " (was " + pageSize + ")");
        }
        if (page < 0) {
            throw new PostroomException("pages count from 0 (was " + page + ")");
        }
        if ((long) page * pageSize > MessagePage.EXACT_UP_TO) {
            throw new PostroomException(
                    "only the first " + MessagePage.EXACT_UP_TO + " entries can be paged through (page " + page + " of "
                            + pageSize + " is beyond): narrow the filter");
        }
    }

    private static int checkLimit(int limit) {
        if (limit < 1 || limit > MessagePage.MOST_ITEMS) {
            throw new PostroomException("limit must be 1 to " + MessagePage.MOST_ITEMS + " (was " + limit + ")");
        }
        return limit;
    }

    private static List<UUID> checkIds(Collection<UUID> ids) {
        List<UUID> distinct = ids.stream().distinct().toList();
        if (distinct.isEmpty() || distinct.size() > MOST_IDS) {
            throw new PostroomException("give 1 to " + MOST_IDS + " message ids (were " + distinct.size()
                    + "): for more, select them with a filter");
        }
        return distinct;
    }

    private static Duration checkAge(Duration olderThan) {
        if (olderThan.isNegative()) {
            throw new PostroomException("an age must not be negative (was " + olderThan + ")");
        }
        return olderThan;
    }

    /** As much of it as the audit holds. */
    static String describe(List<UUID> ids) {
        return fitting(ids.stream().map(UUID::toString).collect(Collectors.joining(" ")));
    }

    private static String fitting(String target) {
        return target.length() <= LONGEST_TARGET ? target : target.substring(0, LONGEST_TARGET - 1) + "…";
    }

    private static String describe(Stream stream) {
        if (stream.key() == null) {
            throw new PostroomException("only a stream with a key can be released: give the key");
        }
        return (stream.tenant().isEmpty() ? "" : "tenant=" + stream.tenant() + " ") + "topic=" + stream.topic()
                + " key=" + stream.key();
    }
}
