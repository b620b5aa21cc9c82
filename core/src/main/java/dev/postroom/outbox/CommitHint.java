package dev.postroom.outbox;

/**
 * A row that a transaction wrote before it committed. Only a hint: the row may have been rolled back to a savepoint, and a
 * lost hint costs nothing but time.
 */
public record CommitHint(int lane, long seq) {}
