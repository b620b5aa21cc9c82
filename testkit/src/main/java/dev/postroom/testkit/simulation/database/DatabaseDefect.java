package dev.postroom.testkit.simulation.database;

/** What a database can be made to do wrong, to see that somebody notices. */
public enum DatabaseDefect {
    /** Failures and suspects are written whatever the row's version and the lane's epoch. */
    NO_FENCE,
    /** A reader is never told of rows that committed behind its followers. */
    NO_LATE_ROWS,
    /** Rows are seen before their transaction commits. */
    DIRTY_READS,
    /** Rows do not say that an earlier one holds their stream. */
    NO_HOLDERS,
    /** Answers have all there is, whatever limit was asked for. */
    NO_LIMITS,
    /** A late part that was cut off looks whole. */
    LATE_CUT_HIDDEN,
    /** Rows of transactions that this server has not given yet are late for every read. */
    FOREIGN_ALWAYS_LATE,
    /** Nothing is found behind the followers. */
    NO_SWEEP,
    /** Nobody is told that another server answers, or that numbers went backwards. */
    FAILOVER_HIDDEN
}
