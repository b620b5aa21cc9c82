/**
 * What the transports share: a message as a CloudEvent 1.0.
 *
 * <p>In binary mode a transport writes the attributes of {@link dev.postroom.transport.cloudevents.CloudEvents#of} as its
 * protocol's headers and the payload as the body. The outbox compresses large payloads for the table's sake; few receivers
 * expect that, so they are decompressed, unless {@link dev.postroom.transport.cloudevents.Compression#KEEP} says otherwise: then
 * {@code gzip} goes on the wire as the protocol's own content encoding. In structured mode
 * {@link dev.postroom.transport.cloudevents.JsonEnvelope} is the body, always decompressed: an event inside JSON has no place
 * for a content encoding, so no reader could undo it. A user's headers
 * travel beside the event in both modes, as the protocol's headers: their names are not limited to what an extension may
 * be called.
 */
@NullMarked
package dev.postroom.transport.cloudevents;

import org.jspecify.annotations.NullMarked;
