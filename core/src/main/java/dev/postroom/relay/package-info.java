/**
 * Delivers what the outbox holds. {@link dev.postroom.relay.Relay} is what users start; everything else is how.
 *
 * <p>One thread owns the {@link dev.postroom.engine.Engine}, which decides, and nothing but that thread touches it. What
 * happens arrives in its {@code Mailbox}: answers of the database, of transports, hints from commits. What the engine wants
 * done goes to three {@code Desk}s, each a thread with a database connection and one command at a time, and to the
 * {@code Outlet} of each destination. {@link dev.postroom.relay.ManualRelay} is the same on the caller's thread.
 */
@NullMarked
package dev.postroom.relay;

import org.jspecify.annotations.NullMarked;
