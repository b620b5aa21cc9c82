package dev.postroom.engine;

/** What became of an outcome that the database refused to record. */
public enum Refusal {
    /** It was delivered, and its row was removed without an entry in the archive. */
    NOT_ARCHIVED,
    /** It failed, and is a dead letter with a text of ours. */
    DEAD_LETTERED,
    /** Nothing of it could be recorded: the relay remembers it until it ends, and then it may be sent again. */
    SET_ASIDE
}
