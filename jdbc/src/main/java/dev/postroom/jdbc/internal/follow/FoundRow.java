package dev.postroom.jdbc.internal.follow;

import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.StoredMessage;
import java.util.List;

/**
 * A row as a statement returned it, before it is known what may be returned of it.
 *
 * @param holds as in {@link FollowedMessage}
 * @param held whether anything holds it; {@link HolderRows} tells at which destinations
 * @param heavy its contents are to be loaded apart
 * @param weight about how many bytes it takes, contents included
 */
public record FoundRow(StoredMessage message, long stream, boolean holds, boolean held, boolean heavy, long weight) {
    public RowKey key() {
        return message.key();
    }

    public long seq() {
        return message.key().seq();
    }

    /** With contents that were loaded apart, and what was found wrong with them. */
    FoundRow with(StoredMessage loaded) {
        StoredMessage whole = new StoredMessage(
                message.key(),
                message.stream(),
                loaded.content(),
                message.progress(),
                message.createdAt(),
                message.due(),
                loaded.defect());
        return new FoundRow(whole, stream, holds, held, false, weight);
    }

    FollowedMessage followed(long heldAt, List<FollowedMessage.Earlier> earlier) {
        return new FollowedMessage(message, stream, holds, heldAt, earlier);
    }
}
