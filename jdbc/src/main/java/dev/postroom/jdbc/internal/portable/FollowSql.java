package dev.postroom.jdbc.internal.portable;

/**
 * The statements of {@link PortableFollowReader}. Those that return messages return what
 * {@link dev.postroom.jdbc.internal.follow.FollowRows} maps, and have as their first parameters how long headers, payload, payload and headers may be to come along. The reader sorts.
 */
public interface FollowSql {

    /**
     * All parts of a page. Parameters per range: lane, the seq before, the last seq, limit; per lane of due rows: lane, due and due and
     * seq of the row before, limit; per span: lane, the seq before, the last seq; with spans the limit for all of them. The last row has the
     * highest seq of all in {@code seq} and the time in {@code created_at}.
     */
    String page(int ranges, int dueLanes, int spans);

    /**
     * The rows of streams that are READY, DELAYED or hold, as many of each kind. Parameters per stream: three times id, the seq before, limit. The last row has the
     * time in {@code created_at}.
     */
    String streams(int streams);

    /** READY, DELAYED and WAITING rows. Parameters: seqs. */
    String fetch(int seqs);

    /** Rows in any state. Parameters: seqs. */
    String load(int seqs);

    /** stream, seq, topic, only_destination, completed of the first holders of each stream, by seq. Parameters: stream ids. */
    String holders(int streams);

    /**
     * place, seq, topic, only_destination, completed of the nearest READY rows before each of so many rows in its stream, the nearest first.
     * Parameters per row: place, stream id, seq, limit.
     */
    String earlier(int rows);
}
