package dev.postroom.testkit.simulation;

import dev.postroom.testkit.simulation.database.DatabaseDefect;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Ways to break what surrounds the engine. A simulator that does not notice them would notice nothing. */
public enum BrokenVariant {
    /** Failures are written over whatever an operator or another relay did. */
    NO_FENCE(DatabaseDefect.NO_FENCE),
    /** A message is settled before its destination has it. */
    SUCCESS_BEFORE_CONFIRM(null),
    /** What commits behind the followers is never read as late. */
    LATE_ROWS_NEVER_READ(DatabaseDefect.NO_LATE_ROWS),
    /** Of late rows that exceed their limit, only the first come, as if there were no more. */
    LATE_ROWS_CUT_UNSAID(DatabaseDefect.LATE_CUT_HIDDEN),
    /** Nothing is found behind the followers. */
    NOTHING_SWEPT(DatabaseDefect.NO_SWEEP),
    /** Rows of another cluster's transactions are late for every read. */
    FOREIGN_ALWAYS_LATE(DatabaseDefect.FOREIGN_ALWAYS_LATE),
    /** An outage is taken for a failure of the message. */
    ATTEMPTS_COUNTED_IN_OUTAGE(null),
    /** Leases are trusted by a clock that can be set. */
    LEASE_BY_WALL_CLOCK(null),
    /** Later messages are not told that an earlier one holds their stream. */
    HOLDERS_IGNORED(DatabaseDefect.NO_HOLDERS),
    /** Rows are read before they are committed. */
    DIRTY_READS(DatabaseDefect.DIRTY_READS),
    /** A transport sends some messages twice. */
    SENT_TWICE(null),
    /** A read gives rows that were settled before it began. */
    STALE_READS(null),
    /** The database says that it has settled, and has not. */
    SETTLED_NOTHING(null),
    /** Nobody counts how often a message was there when a process died. */
    CRASHES_NOT_COUNTED(null),
    /** A transport that says it keeps order does not. */
    PIPELINE_WITHOUT_ORDER(null),
    /** Nothing is read while a destination is away. */
    READS_WAIT_FOR_ALL(null),
    /** Each read brings everything again. */
    READS_EVERYTHING(null),
    /** Reads have no limits. */
    NO_LIMITS(DatabaseDefect.NO_LIMITS),
    /** Another server takes over, and nobody notices. */
    FAILOVER_UNNOTICED(DatabaseDefect.FAILOVER_HIDDEN),
    /** Relays are not told how long a destination wants to be left alone. */
    RETRY_AFTER_HIDDEN(null),
    /** A destination that fails everything is blamed on its messages. */
    FAILURES_NEVER_HOLD(null),
    /** Relays are told nothing of the routes of others. */
    ROUTINGS_HIDDEN(null),
    /** Every relay counts as ripe from its start. */
    ROUTING_DELAY_IGNORED(null),
    /** Relays with other routes are never taken for gone. */
    ROUTINGS_NEVER_GONE(null);

    private final @Nullable DatabaseDefect defect;

    BrokenVariant(@Nullable DatabaseDefect defect) {
        this.defect = defect;
    }

    static Set<DatabaseDefect> defectsOf(@Nullable BrokenVariant variant) {
        Set<DatabaseDefect> defects = EnumSet.noneOf(DatabaseDefect.class);
        if (variant != null && variant.defect != null) {
            defects.add(variant.defect);
        }
        return defects;
    }
}
