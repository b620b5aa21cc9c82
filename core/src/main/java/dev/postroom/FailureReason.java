package dev.postroom;

/** Why a delivery failed. What a reason means for the message is decided by the retry policy, not here. */
public enum FailureReason {
    /** The destination cannot be reached; an outage, which spends no attempts. */
    TRANSPORT_UNAVAILABLE,
    /** The handler threw. */
    HANDLER_EXCEPTION,
    /** The destination will never accept this content; permanent. */
    VALIDATION_FAILURE,
    /** No answer in time. */
    TIMEOUT,
    /** The message cannot be read or written in the form it has; permanent. */
    SERIALIZATION,
    /** Something that the destination itself needs is failing. */
    DEPENDENCY_FAILURE,
    /** A dead letter whose attempts or crashes ran out; its last cause is kept in the error. */
    POISON,
    /** None of the others. */
    UNKNOWN;

    /** Whether trying again can never help. */
    public boolean isPermanent() {
        return this == SERIALIZATION || this == VALIDATION_FAILURE;
    }
}
