package dev.postroom.testkit.simulation;

/** What must hold whatever happens. */
public enum Invariant {
    I1("every committed message is delivered, dead with a reason, or held by a named cause"),
    I2("nothing uncommitted or rolled back is delivered"),
    I3("first deliveries of a stream to a destination are in order"),
    I4("an outage spends no attempt"),
    I5("no two relays trust one lane at a time"),
    I6("a duplicate happens only where a fault explains it"),
    I7("no settled message is sent again by the same relay"),
    I8("an operator's action is never overwritten"),
    I9("memory, statements and pages stay bounded"),
    I10("once faults end, everything sendable is delivered in time"),
    INDEPENDENCE("while one destination or topic is away, everything else is delivered in time"),
    COST("so many rows are read as are delivered, and no more with a backlog"),
    BOUNDED_READS("a statement reads no more rows and bytes than it is to"),
    OUTAGE_KILLS_NOTHING("a destination that fails everything makes nothing dead"),
    RETRY_AFTER("a destination is left alone for as long as it asked"),
    /** N1 of the engine's model. */
    PLACED("a row that is owed to a destination is somewhere"),
    /** Of R30. */
    LAST_ALONE("a message with a last chance not to kill the process goes alone"),
    /** Of R30. */
    COUNTED_ONCE("an owner takes back no crash that it has not counted"),
    /** Of R60. */
    NOT_SENT_IN_TROUBLE("nothing is sent while outcomes cannot be recorded"),
    /** Of R61. */
    ONE_ROUTING("only relays whose routes are in force send"),
    /** Not of the design, but of every program. */
    NO_EXCEPTION("the engine throws nothing");

    private final String says;

    Invariant(String says) {
        this.says = says;
    }

    /** The invariant in words. */
    public String says() {
        return says;
    }
}
