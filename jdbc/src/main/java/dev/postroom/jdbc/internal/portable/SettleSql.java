package dev.postroom.jdbc.internal.portable;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** The statements of {@link PortableSettler}; they change rows that are locked already. */
public interface SettleSql {

    /** lane, epoch of the lanes that the owner has, locked in lane order. Parameters: owner, lanes. */
    String lockLanes(int lanes);

    /** The lanes that others have, or had, for another routing than the owner's. Parameters: owner. */
    default String othersLanes() {
        return """
                SELECT l.lane FROM postroom_lane l, postroom_node n
                WHERE n.node = ? AND l.routing <> n.routing AND (l.owner IS NULL OR l.owner <> n.node)
                """;
    }

    /** Sets the seqs, in ascending order, that {@link #lockRows}, {@link #archive} and {@link #remove} are about. */
    void setSeqs(PreparedStatement statement, List<Long> seqs) throws SQLException;

    /** seq, id, state, completed, version of rows, locked in order of seq; waits for nobody who has other rows. */
    String lockRows();

    /** Parameters: completed, seq. */
    String merge();

    /** Copies rows into the archive, apart from replayed ones, which are in it already. */
    String archive();

    /** Deletes rows; waits for nobody who has other rows. */
    String remove();

    /** Parameters: attempts, confirmed, retryAfter, retryAfter, holds, reason, error, seq; retryAfter is null when dead. */
    String fail();

    /** Parameters: message_id, attempt, reason, error, destination, node. */
    String attempt();

    /** Parameters: crashes, seq. */
    String suspect();

    /** Parameters: lanes. */
    String releaseLanes(int lanes);
}
