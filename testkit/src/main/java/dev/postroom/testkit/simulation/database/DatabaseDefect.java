package dev.postroom.testkit.simulation.database;

/** What a database can be made to do wrong, to see that somebody notices. */
public enum DatabaseDefect {
    /** Failures and suspects are written whatever the row's version and the lane's epoch. */
    NO_FENCE,
    /** A reader is never told of rows that committed behind its cursor. */
    NO_LATE_ROWS,
    /** Rows are seen before their transaction commits. */
    DIRTY_READS,
    /** Rows do not say that an earlier one holds their stream. */
    NO_HOLDERS
}
