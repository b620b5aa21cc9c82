package dev.postroom.testkit.simulation;

/** What can go wrong in a simulation. Each seed has some of them. */
public enum Fault {
    /** A relay's process ends at any step and is started again. */
    CRASH,
    /** A relay's process stands still for a while, longer than a lease; its clocks go on. */
    PAUSE,
    /** The machine sleeps: the monotonic clock stands still as well, the wall clock goes on. */
    SLEEP,
    /** A machine's wall clock is set. */
    WALL_CLOCK,
    /** The database's clock is set. */
    DATABASE_CLOCK,
    /** The database does nothing for a while. */
    DATABASE_OUTAGE,
    /** The database does what it is asked to, and the answer gets lost. */
    LOST_REPLY,
    /** The database refuses what it is asked to, or does a part of it. */
    FAILED_COMMAND,
    /** The database cannot record anything for a while, although it can be read. */
    DATABASE_TROUBLE,
    /** The database refuses to record what became of certain messages. */
    REFUSED_VALUES,
    /** Writers keep their transactions open for long. */
    LONG_WRITERS,
    /** Writers roll back, wholly or to a savepoint, and numbers are left out. */
    ROLLBACK,
    /** Destinations take long to take messages, or to say so. */
    SLOW_DESTINATION,
    /** Messages fail for a while, for good, or are too large. */
    FAILING_MESSAGE,
    /** A message breaks the connection that it is sent on. */
    BREAKING_MESSAGE,
    /** A message kills every process that sends it. */
    KILLER_MESSAGE,
    /** A destination cannot be reached, and says so. */
    DESTINATION_OUTAGE,
    /** A destination does not take a topic, and says so. */
    TOPIC_OUTAGE,
    /** A destination does not answer. */
    BLACK_HOLE,
    /** A destination takes a message, and its answer gets lost. */
    LOST_CONFIRM,
    /** Operators retry, dead-letter, skip, delete and release. */
    OPERATOR,
    /** Operators pause and resume. */
    OPERATOR_PAUSE,
    /** Relays join, and leave in good order. */
    JOIN_AND_LEAVE,
    /** Relays have memory for a few messages only. */
    LITTLE_MEMORY,
    /** Monotonic clocks show numbers below zero, as they may. */
    CLOCK_BELOW_ZERO,
    /** Relays with other routes come in place of those that run, one after the other, and may go again. */
    DEPLOYMENT,
    /** When all else is well, one destination or topic stays away, and writers write on. */
    ONE_STAYS_AWAY,
    /** A destination fails every message for a while, with or without saying when to come again. */
    FAILING_DESTINATION,
    /** A destination takes a few messages at a time; the others wait before it. */
    NARROW_DESTINATION,
    /** A statement commits after the client gave it up. */
    LATE_COMMIT,
    /** The database takes longer to answer than a lease's margin. */
    SLOW_DATABASE,
    /** The server ends and starts again. */
    DATABASE_RESTART,
    /** Another server takes over, which knows nothing of the latest commits; numbers are drawn again. */
    FAILOVER,
    /** One transaction writes many rows, and commits late. */
    LARGE_TRANSACTION,
    /** Shares and pages of the engine are so small that a few messages fill them. */
    SMALL_BOUNDS,
    /** So few streams are remembered as behind that a few failures fill the set. */
    SMALL_SETS,
    /** Operators have archived messages sent to a destination again. */
    REPLAY,
    /** Rows come back from elsewhere, with low numbers and old transactions. */
    RESTORED_ROWS,
    /** Rows come from another cluster, with transactions that this one has not given yet. */
    FOREIGN_TRANSACTIONS
}
