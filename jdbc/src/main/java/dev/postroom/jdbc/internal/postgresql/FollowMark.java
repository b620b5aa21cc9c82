package dev.postroom.jdbc.internal.postgresql;

import dev.postroom.spi.FollowReader.Mark;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot, and the server that it was taken on: another server's transactions and numbers are not comparable.
 *
 * @param last the last number that had been drawn. The next read goes up to it and no further: what is drawn and not yet committed now will mostly
 *     have been committed by then, and is read forward instead of being late
 */
record FollowMark(PostgresSnapshot snapshot, String server, long last) implements Mark {
    static @Nullable FollowMark of(@Nullable Mark mark) {
        return (FollowMark) mark;
    }

    /** The reach has numbers of the server that the mark was taken on. */
    boolean isOf(String otherServer) {
        return server.equals(otherServer);
    }
}
