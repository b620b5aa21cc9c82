/**
 * Handling messages once. Whatever delivers at least once delivers some messages twice; {@link dev.postroom.inbox.Inbox}
 * remembers what a consumer has handled, in the transaction of the handler's own writes, so that each message has one
 * effect.
 *
 * <p>The record is written first, before the handler does anything. So of two deliveries of a message at the same time the
 * second waits at the record, with nothing done yet, until the first has committed or rolled back. Written last, both would
 * have done all their work, and one would have to undo it.
 */
@NullMarked
package dev.postroom.inbox;

import org.jspecify.annotations.NullMarked;
