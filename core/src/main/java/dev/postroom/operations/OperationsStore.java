package dev.postroom.operations;

import dev.postroom.Stream;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The operator's port to the tables; {@link Operations} is its only caller. Each call is one short transaction with a
 * statement timeout, and looks at no more rows than its limit asks for plus what an index makes cheap. Thread-safe.
 */
public interface OperationsStore {

    /** Newest first. */
    MessagePage list(MessageFilter filter, int page, int pageSize);

    /** The message, live or archived. */
    Optional<MessageDetail> find(UUID id, int maxPayloadBytes);

    /** How many match, counting no further than {@code limit}. */
    long count(MessageFilter filter, int limit);

    /** The ids that match and to which the change can be made, oldest first. */
    List<UUID> select(MessageFilter filter, Change change, int limit);

    /** Makes the change to those of the messages that it fits, and audits it, in one transaction. At most 1,000 ids. */
    int change(Change change, List<UUID> ids, Auditing auditing);

    /** Releases all messages of the stream that hold it, up to {@code limit}, in one transaction. */
    int releaseStream(Stream stream, int limit, Auditing auditing);

    /** How many archived messages the replay would send again, counting no further than {@code limit}. */
    long countReplay(ReplayRequest request, int limit);

    /**
     * Puts the next up to {@code limit} archived messages, in order of their seq and after {@code afterSeq}, back into the live table with their
     * own ids, for the one destination only; one that is already there is left alone. They keep their archive entry.
     */
    ReplayStep replay(ReplayRequest request, long afterSeq, int limit, Auditing auditing);

    void pause(Pause.Target target, Auditing auditing);

    /** Whether there was such a pause. */
    boolean resume(Pause.Target target, Auditing auditing);

    List<Pause> pauses();

    Stats stats();

    /** The largest groups among the latest {@code scan} failed and dead messages. */
    List<FailureGroup> failures(int scan, int limit);

    List<BlockedStream> blockedStreams(int limit);

    List<NodeItem> nodes();

    List<LaneItem> lanes();

    /** Newest first. */
    List<AuditEntry> audit(int page, int pageSize);

    /** Writes an entry for something that changed no row here, such as a purge. */
    void record(Auditing auditing, long changed);

    /** Who does what and why, to be written with the change. */
    record Auditing(String actor, String action, String target, String reason) {}

    /**
     * How far a replay went.
     *
     * @param lastSeq where the next step goes on, or -1 when there is nothing left
     */
    record ReplayStep(int changed, long lastSeq) {}
}
