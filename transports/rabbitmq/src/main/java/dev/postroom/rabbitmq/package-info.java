/**
 * Delivers to RabbitMQ, with publisher confirms.
 *
 * <p>{@code RabbitMq} is what users type. A {@code Publisher} owns the one connection and the thread that writes to it: the
 * relay's thread only puts a {@code Parcel} down, because a broker that reads slowly blocks whoever writes. A
 * {@code Session} is one connection with its {@code ConfirmedChannel}s; when it breaks, whatever it had unconfirmed is
 * answered as unclear, and the publisher connects again. The client library's own recovery is off: it would answer for
 * nothing, and publish into the void meanwhile. {@code Watch} ends what neither confirms nor breaks. {@code Failures} says
 * what each failure means.
 *
 * <p>The other direction is {@code RabbitMqInbox}. An {@code InboxLoop} keeps it connected; an {@code InboxSession} is one
 * connection with an {@code InboxChannel} for each message that is handled at once, and {@code WaitingRooms} for those that are
 * to be handled again later; {@code InboxQueues} declares where messages come from, wait and end.
 */
@NullMarked
package dev.postroom.rabbitmq;

import org.jspecify.annotations.NullMarked;
