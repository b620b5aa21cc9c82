package dev.postroom.outbox;

/** Told how a transaction ended, or that it was rolled back to a savepoint before. Must return at once and never throw. */
@FunctionalInterface
public interface TransactionEnd {

    /** It ended. */
    void ended(Ending ending);

    /** How a transaction ended. */
    enum Ending {
        COMMITTED,
        ROLLED_BACK,
        /** The answer to the commit was lost. What was written may be there, or may yet come to be there. */
        UNKNOWN
    }
}
