package dev.postroom;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What became of a published message.
 *
 * @param id the message's id; of the first message with this idempotency key when there was one already
 * @param idempotencyKey the key that it was published with, or null
 * @param alreadyExisted whether an earlier message with the same idempotency key or id made this publish do nothing
 * @param lane the lane the row was written to, or -1 when nothing was written
 * @param seq the row's sequence number, or -1 when nothing was written
 */
public record Published(UUID id, @Nullable String idempotencyKey, boolean alreadyExisted, int lane, long seq) {

    /** The result for a message that an earlier one with the same idempotency key or id made superfluous. */
    public static Published existing(UUID id, @Nullable String idempotencyKey) {
        return new Published(id, idempotencyKey, true, -1, -1);
    }
}
