package dev.postroom.operations;

import dev.postroom.PostroomException;
import dev.postroom.operations.OperationsStore.Auditing;
import dev.postroom.operations.OperationsStore.Effect;
import dev.postroom.operations.OperationsStore.ReplayPosition;
import dev.postroom.operations.OperationsStore.ReplayStep;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
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

    private static final String NO_REASON = "(no reason given)";
    private static final int LONGEST_ACTOR = 128;
    private static final int LONGEST_TARGET = 2_000;
    private static final int FAILURES_LOOKED_AT = 5_000;
    private static final int PURGE_STEP = 5_000;
    private static final int MOST_TOPICS = 10_000;
    /** Who tried what counts as well. */
    static final Effect NOTHING_MATCHED = new Effect(0, 0, "", "nothing matched");

    private final String actor;
    private final OperationsStore store;
    private final Maintenance maintenance;
    private final Sight sight;

    private Operations(String actor, OperationsStore store, Maintenance maintenance, Sight sight) {
        this.actor = actor;
        this.store = store;
        this.maintenance = maintenance;
        this.sight = sight;
    }

    /** Operations in the name of somebody, who is written to the audit. */
    public static Operations as(String actor, OperationsStore store, Maintenance maintenance) {
        if (actor.isBlank() || actor.length() > LONGEST_ACTOR) {
            throw new PostroomException(
                    "whoever operates needs a name of 1 to " + LONGEST_ACTOR + " characters (was '" + actor + "')");
        }
        return new Operations(actor, store, maintenance, Sight.EVERYTHING);
    }

    /**
     * The same for somebody who sees no more than this. Others' messages are as if they were not there; what concerns all
     * tenants is refused with a {@link NotYoursException}.
     */
    public Operations seeing(Sight value) {
        return new Operations(actor, store, maintenance, value);
    }

    // --- what there is ---

    /** Newest first; {@code page} from 0, {@code pageSize} up to {@value MessagePage#MOST_ITEMS}. */
    public MessagePage list(MessageFilter filter, int page, int pageSize) {
        checkPage(page, pageSize);
        return store.list(filter.seenWith(sight), page, pageSize);
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
        return store.find(id, maxPayloadBytes).filter(this::isSeen);
    }

    /**
     * The headers of these messages, which never change; without those that are gone by now, and those whose headers are too long to be
     * read for a whole list.
     */
    public Map<UUID, Map<String, String>> headers(Collection<UUID> ids) {
        return ids.isEmpty() ? Map.of() : store.headers(checkIds(ids), tenants());
    }

    private boolean isSeen(MessageDetail detail) {
        return tenants().include(detail.item().stream().tenant());
    }

    private Tenants tenants() {
        return sight.tenants();
    }

    /**
     * The message with all that is hidden from those who only look, which the audit tells before it is shown.
     *
     * @param reason why, if somebody says
     */
    public Optional<MessageDetail> reveal(UUID id, int maxPayloadBytes, @Nullable String reason) {
        Auditing auditing = auditing("reveal", id.toString(), reason == null || reason.isBlank() ? NO_REASON : reason);
        Optional<MessageDetail> found = find(id, maxPayloadBytes);
        if (found.isPresent()) {
            store.record(auditing.matching(1), new Effect(1, 0, "hidden", "shown"));
        }
        return found;
    }

    public Stats stats() {
        return tenants().areAll() ? store.stats().withRates(store.nodes()) : store.stats(tenants());
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
        checkAll("a gauge");
        return store.gauges(poisonAttempts);
    }

    /** The largest groups of like failures, among the latest {@value #FAILURES_LOOKED_AT} failed and dead messages. */
    public List<FailureGroup> failures(int limit) {
        return store.failures(tenants(), FAILURES_LOOKED_AT, checkLimit(limit));
    }

    /** The streams held longest, first. */
    public List<BlockedStream> blockedStreams(int limit) {
        return store.blockedStreams(tenants(), checkLimit(limit));
    }

    /** Who is bound to tenants is not told which topics are paused: those may be others'. */
    public List<Pause> pauses() {
        return store.pauses().stream()
                .filter(pause -> tenants().areAll() || pause.target().topic() == null)
                .toList();
    }

    public List<DestinationItem> destinations() {
        return store.destinations();
    }

    /** Of all relays; who is bound to tenants is told only whether they live and which destinations they hold. */
    public List<NodeItem> nodes() {
        List<NodeItem> nodes = store.nodes();
        return tenants().areAll()
                ? nodes
                : nodes.stream().map(NodeItem::forTenants).toList();
    }

    public List<LaneItem> lanes() {
        checkAll("a lane");
        return store.lanes();
    }

    /** The routings that relays have had, the newest first. */
    public List<RoutingItem> routings() {
        checkAll("a routing");
        return store.routings();
    }

    /** How the tables lie in the database. */
    public StorageFacts storage() {
        checkAll("the database");
        return store.storage();
    }

    /** Newest first; paged like {@link #list}. */
    public List<AuditEntry> audit(int page, int pageSize) {
        checkPage(page, pageSize);
        checkAll("the audit");
        return store.audit(page, pageSize);
    }

    // --- chosen messages ---

    /** How many of these messages the change fits. */
    public ActionResult dryRun(Change change, Collection<UUID> ids) {
        List<UUID> seen = seen(checkIds(ids));
        return new ActionResult(seen.isEmpty() ? 0 : store.count(seen, change), 0);
    }

    private List<UUID> seen(List<UUID> ids) {
        return tenants().areAll() ? ids : store.owned(ids, tenants());
    }

    /** Changes those of these messages that the change fits, in one transaction. */
    public ActionResult change(Change change, Collection<UUID> ids, @Nullable String reason) {
        List<UUID> chosen = checkIds(ids);
        Auditing auditing = auditing(change.label(), describe(chosen), reason);
        List<UUID> seen = seen(chosen);
        if (seen.isEmpty()) {
            store.record(auditing, NOTHING_MATCHED);
            return new ActionResult(0, 0);
        }
        long matched = store.count(seen, change);
        return new ActionResult(matched, store.change(change, seen, auditing.matching(matched)));
    }

    /** Changes the messages that match, oldest first, up to the limit; a dry run needs no reason. */
    public ActionResult change(Change change, Bulk bulk, @Nullable String reason) {
        return change(change, bulk, reason, changed -> {});
    }

    /** Changes the messages that match, oldest first, up to the limit; a dry run needs no reason. */
    public ActionResult change(Change change, Bulk bulk, @Nullable String reason, LongConsumer progress) {
        MessageFilter filter = bulk.filter().seenWith(sight);
        if (bulk.dryRun()) {
            return new ActionResult(store.count(filter, change, Bulk.MOST), 0);
        }
        Auditing auditing = auditing(change.label(), filter.describe(), reason);
        // Chosen once: a changed message may still match, and would be changed again and again.
        List<UUID> chosen = store.select(filter, change, bulk.limit());
        long matched = chosen.size() < bulk.limit() ? chosen.size() : store.count(filter, change, Bulk.MOST);
        if (chosen.isEmpty()) {
            store.record(auditing, NOTHING_MATCHED);
        }
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

    /**
     * Lets a blocked stream go on: what holds it holds nobody any more. With ids, only these of its messages go on, ahead of those that
     * hold it; with a topic, only those of this topic.
     */
    public ActionResult releaseStream(ReleaseRequest request, @Nullable String reason) {
        checkTenant(request.stream().tenant());
        if (request.ids() == null) {
            return releaseHolders(request, auditing("release", request.describe(), reason));
        }
        List<UUID> chosen = checkIds(request.ids());
        Auditing auditing = auditing("release", request.describe() + " " + describe(chosen), reason);
        return store.releaseStream(request.only(chosen), chosen.size(), auditing);
    }

    private ActionResult releaseHolders(ReleaseRequest request, Auditing auditing) {
        Auditing part = auditing;
        long changed = 0;
        ActionResult step;
        do {
            step = store.releaseStream(request, OperationsStore.MOST_CHANGES, part);
            changed += step.changed();
            part = part.next();
        } while (step.changed() > 0); // a step may be short because a relay settled one of its messages in between
        return new ActionResult(changed, true, changed, 0);
    }

    // --- replay ---

    /** How many archived messages a replay would send again, counted no further than {@value Bulk#MOST}. */
    public ActionResult dryRunReplay(ReplayRequest request) {
        return new ActionResult(store.countReplay(seen(request), Bulk.MOST), 0);
    }

    /**
     * The topics that have this route now and, at some time in between, did not go to the destination by it: those that a replay of a
     * whole route is of. The route is named by its pattern, as {@link RoutingText} prints it.
     */
    public List<String> missedTopics(
            String route, String destination, @Nullable String tenant, Instant from, Instant to) {
        checkAll("a routing");
        GapSearch search = new GapSearch(store.routings());
        if (!search.routes().contains(route)) {
            throw new PostroomException("the routing in force has no route for '" + route + "': have " + search.routes()
                    + ", or give one --topic");
        }
        if (!search.goesTo(route, destination)) {
            throw new PostroomException(
                    "'" + route + "' does not go to '" + destination + "' by the routing in force, as"
                            + " after a rollback: start relays whose routes have it and replay when they are in force, or give"
                            + " one --topic");
        }
        List<String> topics = store.archivedTopics(tenant, from, to, MOST_TOPICS + 1);
        if (topics.size() > MOST_TOPICS) {
            throw new PostroomException("messages of more than " + MOST_TOPICS
                    + " topics were delivered between " + from + " and " + to
                    + ": replay shorter times one after the other (--from, --to)");
        }
        return topics.stream()
                .filter(topic -> search.hasMissed(RoutingText.printable(topic), route, destination, from, to))
                .toList();
    }

    /**
     * Sends up to {@code limit} archived messages again, in order, with their ids, to the one destination. Once those are delivered,
     * another replay would send the same again, so the limit may be any.
     */
    public ActionResult replay(ReplayRequest asked, int limit, @Nullable String reason, LongConsumer progress) {
        if (limit < 1) {
            throw new PostroomException("limit must be at least 1 (was " + limit + ")");
        }
        ReplayRequest request = seen(asked);
        Auditing auditing = auditing("replay", request.describe(), reason);
        long matched = store.countReplay(request, Bulk.MOST);
        Auditing part = auditing.matching(matched);
        long changed = 0;
        long leftAlone = 0;
        @Nullable ReplayPosition position = ReplayPosition.START;
        while (position != null && changed < limit) {
            int most = (int) Math.min(OperationsStore.MOST_CHANGES, limit - changed);
            ReplayStep step = store.replay(request, position, most, part);
            part = part.next();
            changed += step.changed();
            leftAlone += step.leftAlone();
            position = step.next();
            progress.accept(changed);
        }
        return position == null
                ? new ActionResult(changed + leftAlone, true, changed, leftAlone)
                : new ActionResult(matched, matched < Bulk.MOST, changed, leftAlone);
    }

    /** A replay is of one tenant for those who are bound to some. */
    private ReplayRequest seen(ReplayRequest request) {
        if (tenants().areAll()) {
            return request;
        }
        String meant = request.tenant() == null ? tenants().only() : request.tenant();
        checkTenant(meant == null ? "" : meant);
        return request.ofTenant(meant);
    }

    // --- pauses ---

    /** Stops sending to a destination, of a topic, or everything. Pausing again replaces who and why. */
    public void pause(Pause.Target target, @Nullable String reason) {
        checkAll("a pause");
        store.pause(target, auditing("pause", target.describe(), reason));
    }

    /** Goes on sending; false when this was not paused. */
    public boolean resume(Pause.Target target, @Nullable String reason) {
        checkAll("a pause");
        return store.resume(target, auditing("resume", target.describe(), reason));
    }

    // --- erasure ---

    /** What an erasure would remove, and from where. */
    public ErasureResult dryRunErase(ErasureRequest request) {
        checkAll("an erasure");
        return new Erasing(store, request).dryRun();
    }

    /**
     * Removes messages with all that is kept about them, in whatever state they are: live, archived, failed attempts and their errors,
     * idempotency keys, what consumers remember. The audit gets their ids and the reason, which must not name what is erased. What a relay
     * has in its hands at that moment may still arrive; nothing of it comes back into the tables.
     */
    public ErasureResult erase(ErasureRequest request, @Nullable String reason, LongConsumer progress) {
        checkAll("an erasure");
        return new Erasing(store, request).erase(auditing("erase", "", reason), progress);
    }

    // --- purge ---

    /** How many archived messages a purge would remove, counted no further than {@value Bulk#MOST}. */
    public ActionResult dryRunPurge(Duration olderThan) {
        checkAll("a purge");
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
        checkAll("a purge");
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
        store.record(auditing.matching(purge.removed), purged(purge.removed));
        return new ActionResult(purge.removed, true, purge.removed, 0);
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

    private void checkAll(String what) {
        if (!tenants().areAll()) {
            throw NotYoursException.concernsAll(what, tenants());
        }
    }

    private void checkTenant(String tenant) {
        if (!tenants().include(tenant)) {
            throw NotYoursException.otherTenant(tenant, tenants());
        }
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
}
