package dev.postroom.inbox;

import java.sql.SQLException;

/** What {@link Inbox#handleOnce} runs when a message is new. What it throws rolls everything back. */
@FunctionalInterface
public interface InboxAction<X extends Exception> {
    void run(InboxTransaction tx) throws SQLException, X;
}
