/**
 * Writing messages. {@link dev.postroom.outbox.Outbox} is the way in; {@link dev.postroom.outbox.Limits} says what it
 * accepts; {@code MessageEncoder} turns what users give into what the store writes.
 */
@NullMarked
package dev.postroom.outbox;

import org.jspecify.annotations.NullMarked;
