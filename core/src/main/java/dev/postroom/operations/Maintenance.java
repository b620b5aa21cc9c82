package dev.postroom.operations;

import java.time.Duration;

/** Forgets what is no longer needed, in bounded steps; each call is one short transaction. Thread-safe. */
public interface Maintenance {
    /** The audit keeps what is younger, whoever asks: also the database refuses, where it can. */
    Duration LEAST_AUDIT_AGE = Duration.ofDays(30);

    /** Makes room for the archive's coming days (where it is partitioned). Idempotent, and safe from many nodes. */
    void prepareArchive();

    /** How many archived messages are older than this, counting no further than {@code limit}. */
    long countArchive(Duration olderThan, int limit);

    /**
     * Removes archived messages older than this: up to {@code limit} rows, or whole expired partitions. Returns how many
     * rows went, as exactly as is cheap; 0 when there is nothing left to do.
     */
    long purgeArchive(Duration olderThan, int limit);

    /** Removes up to {@code limit} idempotency keys whose window is over. */
    long purgeDedup(int limit);

    /** Removes up to {@code limit} inbox records older than this. */
    long purgeInbox(Duration olderThan, int limit);

    /** Removes up to {@code limit} records of failed attempts older than this. */
    long purgeAttempts(Duration olderThan, int limit);

    /** Removes up to {@code limit} relays that have not reported for this long: those that died, the others sign off. */
    long purgeNodes(Duration silentFor, int limit);

    /**
     * Removes routings that no relay and no lane has, but none of the newest {@code kept}, and none that was in force within this
     * time. One that comes back after that counts as new.
     */
    long purgeRoutings(Duration outOfForce, int kept);

    /** Removes up to {@code limit} rows of the audit older than this, which is {@link #LEAST_AUDIT_AGE} or more. */
    long purgeAudit(Duration olderThan, int limit);
}
