package dev.postroom.outbox;

/** Told how a transaction ended, or that it was rolled back to a savepoint before. Must return at once and never throw. */
@FunctionalInterface
public interface TransactionEnd {

    /**
     * It ended.
     *
     * @param committed whether it is known to have committed; where that is unknown, it counts as rolled back
     */
    void ended(boolean committed);
}
