package dev.postroom.testkit.contract;

import dev.postroom.spi.MessageReader;
import dev.postroom.spi.MessageReader.DuePosition;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.StoredMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Pages through what is due, in all lanes, as a relay does. */
final class DueReader {
    private final MessageReader reader;
    private final Map<Integer, DuePosition> positions = new TreeMap<>();
    private int limit = 100;
    private RowLimits limits = StoreContract.NO_LIMIT;

    DueReader(StoreUnderTest store) {
        this(store.plainReader());
    }

    DueReader(MessageReader reader) {
        this.reader = reader;
        restart();
    }

    /** From the beginning again, as at the relay's next round. */
    DueReader restart() {
        StoreContract.ALL_LANES.forEach(lane -> positions.put(lane, new DuePosition(lane, null, 0)));
        return this;
    }

    DueReader limitPerLane(int newLimit) {
        limit = newLimit;
        return this;
    }

    DueReader limits(RowLimits newLimits) {
        limits = newLimits;
        return this;
    }

    /** The next page. */
    List<StoredMessage> read() {
        List<StoredMessage> rows =
                reader.readDue(new MessageReader.DueRequest(List.copyOf(positions.values()), limit, limits));
        for (StoredMessage row : rows) {
            int lane = row.key().lane();
            positions.put(lane, new DuePosition(lane, row.due(), row.key().seq()));
        }
        return rows;
    }

    /** All pages. */
    List<StoredMessage> readAll() {
        List<StoredMessage> all = new ArrayList<>();
        for (List<StoredMessage> page = read(); !page.isEmpty(); page = read()) {
            all.addAll(page);
            if (all.size() > 10_000) {
                throw new AssertionError("paging by due time does not end");
            }
        }
        return all;
    }
}
