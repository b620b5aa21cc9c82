package dev.postroom.operations;

import java.time.Instant;

/**
 * Who changed what, when and why.
 *
 * @param target what it was about: ids, a filter, a stream, a destination; at most 2,000 characters
 */
public record AuditEntry(
        long seq, Instant at, String actor, String action, String target, String reason, long changed) {}
