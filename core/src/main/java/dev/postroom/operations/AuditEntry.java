package dev.postroom.operations;

import java.time.Instant;

/**
 * Who changed what, when and why: one entry for each action, however many transactions it took.
 *
 * @param databaseUser whom the database let in; nobody but the database can write it
 * @param actor who did it by their own account: a user of the page, or user@host of a command
 * @param target what it was about: ids, a filter, a stream, a destination; at most 2,000 characters
 * @param matched how many messages fitted when it began, counted no further than {@value Bulk#MOST}
 * @param changed how many it changed
 * @param failed how many it gave up because the database refused; the rest of matched had been changed by others meanwhile
 * @param oldState what was before, such as {@code 3 dead, 1 waiting}
 * @param newState what was after
 */
public record AuditEntry(
        long seq,
        Instant at,
        String databaseUser,
        String actor,
        String action,
        String target,
        String reason,
        long matched,
        long changed,
        long failed,
        String oldState,
        String newState) {

    /** Whether no more than that fitted. No getter, which JSON would show: counting ends at {@value Bulk#MOST}. */
    public boolean allMatchedWereCounted() {
        return matched != Bulk.MOST;
    }
}
