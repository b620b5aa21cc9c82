package dev.postroom.jdbc.internal.follow;

import dev.postroom.spi.PageRequest;
import dev.postroom.spi.ReadBounds;

/** How long stored headers and a payload may be to be returned together with their row; what is longer is loaded apart. */
public record RowWeight(long headers, long payload) {
    /** Rows this small are returned whole, however many there are: a row without its contents takes not much less. */
    private static final long ALWAYS = 2_048;

    /** What a row may hold at all. */
    public static RowWeight whole(ReadBounds bounds) {
        return new RowWeight(bounds.row().storedHeaderBytes(), bounds.row().payloadBytes());
    }

    /** So that so many rows stay within the bounds. */
    public static RowWeight of(ReadBounds bounds, long mostRows) {
        long each = Math.max(ALWAYS, bounds.bytes() / Math.max(1, mostRows));
        RowWeight whole = whole(bounds);
        return new RowWeight(Math.min(whole.headers(), each), Math.min(whole.payload(), each));
    }

    /** The same for all parts of a page. Lanes share their numbers, so ranges of all lanes have no more rows than one of them has numbers. */
    public static RowWeight of(PageRequest request) {
        long limits = 0;
        long lowest = Long.MAX_VALUE;
        long highest = 0;
        for (PageRequest.Range range : request.ranges()) {
            limits += range.limit();
            lowest = Math.min(lowest, range.after());
            highest = Math.max(highest, range.upTo());
        }
        long ranged = request.ranges().isEmpty() ? 0 : Math.min(limits, highest - lowest);
        long due = (long) request.due().limit() * request.due().lanes().size();
        return of(request.bounds(), request.lateLimit() + ranged + due);
    }
}
