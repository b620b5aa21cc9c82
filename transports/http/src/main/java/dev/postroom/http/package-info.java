/**
 * Delivers messages as webhooks: {@link dev.postroom.http.Webhook} is the transport.
 *
 * <p>One request is one {@code Exchange}: it is prepared on a worker thread, because looking up a host blocks; it is sent by
 * the client's I/O thread, which asks the exchange at the last moment whether it may still go; a timer ends what takes too
 * long. Whatever comes first decides, and is told once.
 *
 * <p>The client connects only to addresses that {@code CheckedLookup} gave it, so that the address that was checked is the
 * one connected to, however often the name's answer changes. The JDK's own client looks names up by itself, which is why
 * it is not used here: see docs/decisions.
 */
@NullMarked
package dev.postroom.http;

import org.jspecify.annotations.NullMarked;
