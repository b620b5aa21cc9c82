package dev.postroom.spi;

import dev.postroom.Stream;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row as a relay reads it.
 *
 * @param progress what earlier attempts left behind
 * @param createdAt when it was written, by the database's clock
 * @param due when it is to be tried (DELAYED and WAITING rows), else null
 * @param defect why this row can never be sent (a foreign writer's broken headers, a payload above the read's limit), or
 *     null; such a row is to be dead-lettered with this text
 */
public record StoredMessage(
        RowKey key,
        Stream stream,
        Content content,
        Progress progress,
        Instant createdAt,
        @Nullable Instant due,
        @Nullable String defect) {

    /**
     * What earlier attempts left behind.
     *
     * @param completed bits of the destinations that have confirmed it, see {@link Destinations}
     * @param released an operator took it out of its stream's order
     * @param onlyDestination the destination of a replay, or null for the route
     * @param version raised by every change; an outcome is written only over the version it was decided on
     */
    public record Progress(
            RowState state,
            int attempts,
            int crashes,
            long completed,
            boolean released,
            @Nullable String onlyDestination,
            int version) {}
}
