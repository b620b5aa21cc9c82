/**
 * Delivers messages to Kafka: {@link dev.postroom.kafka.Kafka} is the transport.
 *
 * <p>One thread, the {@code Publisher}'s, gives records to the producer, because the producer blocks when it knows too little
 * of a topic or has no memory left, and the relay's thread must not be the one that waits. Topics that the producer does not
 * know yet are looked up on another thread, so that an unknown topic holds up nobody else.
 *
 * <h2>Order</h2>
 * A stream is pipelined: many of its messages may be with the producer at once. The idempotent producer keeps a partition's
 * records in order, and the broker refuses a record when one before it is missing; so order breaks only where the producer
 * itself goes on after a record that has failed for good. Two things prevent that. A stream whose message failed is
 * broken for a moment: whatever of it is handed over behind the failed one is given back unsent, until the relay has
 * heard of the failure. And if the producer has later records of that stream already, it is closed on the spot, from
 * within the callback that tells of the failure, before it can send them; they fail as an outage, and a new producer begins.
 *
 * <h2>Consuming</h2>
 * {@link dev.postroom.kafka.KafkaInbox} is the other direction. An {@code InboxLoop} keeps it in its group; an
 * {@code InboxSession} is one consumer; {@code Holds} makes a partition stand still whose next record failed.
 */
@NullMarked
package dev.postroom.kafka;

import org.jspecify.annotations.NullMarked;
