package dev.postroom.jdbc.internal.follow;

import dev.postroom.Stream;
import dev.postroom.jdbc.internal.MessageRows;
import dev.postroom.jdbc.internal.Timestamps;
import dev.postroom.spi.PageAnswer.SweptRow;
import dev.postroom.spi.ReadBounds;
import dev.postroom.spi.StoredMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;

/**
 * Maps what {@link MessageRows} maps, and besides: 23 whether anything holds it, 25 stream, 26 whether it holds nobody, 27 its {@link Place}. Headers (11) and payload (22) above their {@link RowWeight}
 * come as NULL, with their sizes in 24 and 21, which are NULL otherwise.
 */
public final class FollowRows {
    private static final int BARE = 300;
    private final MessageRows rows;

    public FollowRows(Timestamps timestamps) {
        this.rows = new MessageRows(timestamps);
    }

    public FoundRow map(ResultSet row, ReadBounds bounds) throws SQLException {
        StoredMessage message = rows.map(row, bounds.row());
        long apart = row.getLong(21) + row.getLong(24);
        boolean heavy = apart > 0 && message.defect() == null;
        long weight = BARE + loaded(message) + (heavy ? apart : 0);
        return new FoundRow(message, row.getLong(25), !row.getBoolean(26), row.getBoolean(23), heavy, weight);
    }

    private static long loaded(StoredMessage message) {
        byte[] payload = message.content().payload();
        long weight = payload == null ? 0 : payload.length;
        for (Map.Entry<String, String> header : message.content().headers().entrySet()) {
            weight += header.getKey().length() + header.getValue().length();
        }
        return weight;
    }

    public static SweptRow swept(ResultSet row) throws SQLException {
        return new SweptRow(
                MessageRows.key(row),
                row.getLong(25),
                new Stream(row.getString(5), row.getString(6), row.getString(7)),
                row.getString(8),
                row.getString(13),
                row.getLong(18),
                row.getBoolean(19));
    }
}
