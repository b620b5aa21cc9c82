package dev.postroom.inbox;

/** What became of a message that was given to {@link Inbox#handleOnce}. Either way it is done, and can be acknowledged. */
public enum Handling {
    /** It was new: the handler has run, and its writes are committed. */
    HANDLED,
    /** The consumer had handled it before: the handler was not called. */
    DUPLICATE
}
