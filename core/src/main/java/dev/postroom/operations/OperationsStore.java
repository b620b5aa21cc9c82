package dev.postroom.operations;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The operator's port to the tables; {@link Operations} is its only caller. Each call is one short transaction with a
 * statement timeout, and looks at no more rows than its limit asks for plus what an index makes cheap. Thread-safe.
 */
public interface OperationsStore {
    /** How many rows one transaction changes at most. */
    int MOST_CHANGES = 1_000;

    /** Newest first. */
    MessagePage list(MessageFilter filter, int page, int pageSize);

    /** The message, live or archived. */
    Optional<MessageDetail> find(UUID id, int maxPayloadBytes);

    /**
     * The headers of those of these tenants' messages, live or archived, that are still there. Those that are too long to be read for a
     * whole list are left out. At most {@value #MOST_CHANGES} ids.
     */
    Map<UUID, Map<String, String>> headers(List<UUID> ids, Tenants tenants);

    /** How many match and can be changed so, counting no further than {@code limit}. */
    long count(MessageFilter filter, Change change, int limit);

    /** Those of these messages, live or archived, that are these tenants' own. At most {@value #MOST_CHANGES} ids. */
    List<UUID> owned(List<UUID> ids, Tenants tenants);

    /** How many of these messages can be changed so. At most {@value #MOST_CHANGES} ids. */
    long count(List<UUID> ids, Change change);

    /** The ids that match and can be changed so, oldest first. */
    List<UUID> select(MessageFilter filter, Change change, int limit);

    /**
     * Makes the change to those of the messages that it fits, and audits it, in one transaction. At most
     * {@value #MOST_CHANGES} ids.
     */
    int change(Change change, List<UUID> ids, Auditing auditing);

    /**
     * Releases messages of the stream: those that are named, or all that hold it when none are; up to {@code limit}, in
     * one transaction. Those that are not of this stream, or not of the topic if there is one, do not match.
     */
    ActionResult releaseStream(ReleaseRequest request, int limit, Auditing auditing);

    /** How many archived messages the replay would send again, counting no further than {@code limit}. */
    long countReplay(ReplayRequest request, int limit);

    /** The topics of what was delivered in this time, of one tenant or of all, in order; no more than the limit. */
    List<String> archivedTopics(@Nullable String tenant, Instant from, Instant to, int limit);

    /**
     * Puts the next up to {@code limit} archived messages, in order of their seq, back into the live table with their
     * own ids, for the one destination only; one that is already there is left alone. They keep their archive entry.
     */
    ReplayStep replay(ReplayRequest request, ReplayPosition from, int limit, Auditing auditing);

    /**
     * Looks for messages with the key, whatever their topic, among the next rows in order of their ids: there is no index on keys alone,
     * so a call looks at a bounded number of rows.
     */
    KeyStep findByKey(String tenant, String key, boolean archived, @Nullable UUID after);

    /** What {@link #erase} would remove, apart from idempotency keys. At most {@value #MOST_CHANGES} ids. */
    ErasureResult countErasable(List<UUID> ids);

    /**
     * Removes these messages in whatever state, live and archived, their attempts and what consumers remember of them, and audits it, in
     * one transaction. At most {@value #MOST_CHANGES} ids. What a relay has sent meanwhile it cannot settle any more: its outcome finds no
     * row, and writes none.
     */
    ErasureResult erase(List<UUID> ids, Auditing auditing);

    /** Whose messages these are, live or archived. At most {@value #MOST_CHANGES} ids. */
    Set<String> tenantsOf(List<UUID> ids);

    /** Counts, or removes, the idempotency keys of these messages among the tenant's next keys in their order. */
    DedupStep idempotencyKeysOf(Set<UUID> ids, DedupPosition from, boolean remove);

    /** Replaces the pause of the same target, if there is one. */
    void pause(Pause.Target target, Auditing auditing);

    /** Whether there was such a pause. */
    boolean resume(Pause.Target target, Auditing auditing);

    List<Pause> pauses();

    Stats stats();

    /** Of these tenants alone, among the newest messages in each state; what only relays know of all is 0. */
    Stats stats(Tenants tenants);

    /** What meters show; {@code poisonAttempts} failed attempts make a message one that may never be delivered. */
    Gauges gauges(int poisonAttempts);

    /** The largest groups of these tenants' among the latest {@code scan} failed and dead messages. */
    List<FailureGroup> failures(Tenants tenants, int scan, int limit);

    List<BlockedStream> blockedStreams(Tenants tenants, int limit);

    List<DestinationItem> destinations();

    List<NodeItem> nodes();

    List<LaneItem> lanes();

    /** The routings that relays have had, the newest first. */
    List<RoutingItem> routings();

    /** How the tables lie in the database; a store that cannot tell says nothing. */
    default StorageFacts storage() {
        return StorageFacts.UNKNOWN;
    }

    /** Newest first. */
    List<AuditEntry> audit(int page, int pageSize);

    /** Writes an entry for something that changed no row here, such as a purge. */
    void record(Auditing auditing, Effect effect);

    /**
     * Who does what and why, to be written with the change.
     *
     * @param id the same for all transactions of an action
     * @param part which of them this is, from 0
     * @param target at most 2,000 characters
     * @param matched how many messages fit, in part 0
     */
    record Auditing(UUID id, int part, String actor, String action, String target, String reason, long matched) {
        /** The first, or only, transaction of a new action. */
        public static Auditing of(String actor, String action, String target, String reason) {
            return new Auditing(UUID.randomUUID(), 0, actor, action, target, reason, 0);
        }

        /** The same about something else. */
        public Auditing about(String what) {
            return new Auditing(id, part, actor, action, what, reason, matched);
        }

        public Auditing matching(long messages) {
            return new Auditing(id, part, actor, action, target, reason, messages);
        }

        /** The transaction after this one. */
        public Auditing next() {
            return new Auditing(id, part + 1, actor, action, target, reason, 0);
        }
    }

    /**
     * What became of it.
     *
     * @param failed how many were given up because the database refused
     * @param oldState what was before, such as {@code 3 dead, 1 waiting}; at most 2,000 characters
     * @param newState what was after
     */
    record Effect(long changed, long failed, String oldState, String newState) {}

    /**
     * How far a search by key went.
     *
     * @param next where it goes on, or null when there is nothing left
     */
    record KeyStep(List<UUID> found, @Nullable UUID next) {}

    /** Where a walk through idempotency keys stands: behind this key of the tenant. */
    record DedupPosition(String tenant, String afterKey) {}

    /**
     * How far a walk through idempotency keys went.
     *
     * @param next where it goes on, or null when there is nothing left
     */
    record DedupStep(long keys, @Nullable DedupPosition next) {}

    /**
     * Where a replay stands.
     *
     * @param afterSeq the archive's last seq that was looked at, -1 at the beginning
     * @param sent how many were put back so far; with a rate, the next ones become due after them
     */
    record ReplayPosition(long afterSeq, long sent) {
        public static final ReplayPosition START = new ReplayPosition(-1, 0);
    }

    /**
     * How far a replay went.
     *
     * @param leftAlone how many were live already
     * @param next where it goes on, or null when there is nothing left
     */
    record ReplayStep(int changed, int leftAlone, @Nullable ReplayPosition next) {}
}
