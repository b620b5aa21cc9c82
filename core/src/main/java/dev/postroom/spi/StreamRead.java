package dev.postroom.spi;

import java.time.Instant;
import java.util.List;

/** The rows of streams that fell behind, see {@link FollowReader#readStreams}. */
public record StreamRead(List<Rows> streams, Instant at) {

    /**
     * One stream for one destination.
     *
     * @param after 0 for the stream's lowest live row. A scan may be resumed at the {@link Rows#end} of the one before as long
     *     as every row up to there was seen not to be owed to the destination, and no row at or below it was left since
     * @param destination the destination's mask: rows that it has confirmed are passed over. 0 passes over none
     * @param limit how many rows
     */
    public record Ask(long stream, long after, long destination, int limit) {
        public static Ask all(long stream, int limit) {
            return new Ask(stream, 0, 0, limit);
        }
    }

    /**
     * What was found for one ask: rows of the stream that are ordered there, whatever their state (READY, DELAYED whether due or not, WAITING, DEAD),
     * by seq. Released rows, and failed ones that hold nobody (SKIP), are not among them.
     *
     * @param end up to where every such row was looked at: the last one, which the destination may have confirmed, or where the scan began
     * @param cut whether a limit of rows or bytes ended it: there may be more behind {@code end}
     */
    public record Rows(Ask ask, List<FollowedMessage> rows, long end, boolean cut) {}
}
