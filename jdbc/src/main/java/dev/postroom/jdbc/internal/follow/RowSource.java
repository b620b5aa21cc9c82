package dev.postroom.jdbc.internal.follow;

import dev.postroom.spi.FollowedMessage.Earlier;
import dev.postroom.spi.ReadBounds;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.StoredMessage;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What a database is asked for once it is known which rows go into an answer. */
public interface RowSource {

    /** Holders of these streams, the first few of each. */
    HolderRows holders(Collection<Long> streams) throws SQLException;

    /** The rows with these keys as they are now, contents included. */
    Map<UUID, StoredMessage> load(List<RowKey> keys, ReadBounds bounds) throws SQLException;

    /**
     * What stands before each of these rows of one part, in their order; from databases that cannot tell late rows, else nothing at all.
     */
    default List<Before> before(List<FoundRow> rows, Preceding preceding) throws SQLException {
        return List.of();
    }

    /**
     * What stands before a row.
     *
     * @param unknown destinations for which the nearest was not found
     */
    record Before(List<Earlier> earlier, long unknown) {
        public static final Before NOTHING = new Before(List.of(), 0);
    }
}
