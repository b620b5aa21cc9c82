package dev.postroom.jdbc.internal.portable;

/** The statements of {@link PortableSettler}; they change rows that are locked already. */
public interface SettleSql {

    /** lane, epoch of the lanes that the owner has, locked in lane order. Parameters: owner, lanes. */
    String lockLanes(int lanes);

    /** seq, id, state, completed, version of rows, locked in order of seq. Parameters: seqs. */
    String lockRows(int seqs);

    /** Parameters: completed, seq. */
    String merge();

    /** Copies rows into the archive, apart from replayed ones, which are in it already. Parameters: seqs. */
    String archive(int seqs);

    /** Parameters: seqs. */
    String remove(int seqs);

    /** Parameters: attempts, confirmed, retryAfter, retryAfter, holds, reason, error, seq; retryAfter is null when dead. */
    String fail();

    /** Parameters: message_id, attempt, reason, error, destination, node. */
    String attempt();

    /** Parameters: crashes, seq. */
    String suspect();

    /** Parameters: lanes. */
    String releaseLanes(int lanes);
}
