package dev.postroom.jdbc.internal.portable;

/**
 * The statements of {@link PortableReader}. Those that return messages return what
 * {@link dev.postroom.jdbc.internal.MessageRows} maps, and have the longest headers as stored and the largest payload to
 * return as their first parameters. The reader sorts.
 */
public interface ReadSql {

    /**
     * READY rows ahead of the cursors, with the hash of their stream as the last column. Parameters per lane: lane,
     * cursor, limit.
     */
    String forward(int lanes);

    /**
     * lane, seq, id, hash of the stream of READY rows. Parameters per lane: lane, the seq before, the last seq; then the
     * limit per lane.
     */
    String passed(int lanes);

    /** How many lanes {@link #passed} should be asked for at once. */
    int passedLanes();

    /** DELAYED and WAITING rows that are due. Parameters per lane: lane, due and due and seq of the row before, limit. */
    String due(int lanes);

    /**
     * The nearest READY row before each of so many rows in its stream: place, seq. Parameters per row: place; tenant,
     * tenant, ordering_key to find it; seq; tenant, topic, ordering_key to compare.
     */
    String earlier(int rows);

    /** READY, DELAYED and WAITING rows. Parameters: seqs. */
    String fetch(int seqs);

    /** READY rows of a lane. Parameters: lane, seqs. */
    String fetchReady(int seqs);

    /**
     * id, lane, seq, state, completed, due of the rows that hold a stream, by seq. Parameters: tenant, tenant,
     * ordering_key to find them; tenant, topic, ordering_key to compare; limit.
     */
    String holders();
}
