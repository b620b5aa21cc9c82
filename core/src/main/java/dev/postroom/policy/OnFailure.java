package dev.postroom.policy;

/** What a message that fails does to the later ones of its stream. */
public enum OnFailure {
    /** They wait for it, also behind a dead letter, until it is delivered or an operator decides. */
    BLOCK,
    /** They go on without it. */
    SKIP
}
