package dev.postroom.testkit.contract;

import dev.postroom.spi.FollowReader;
import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.PageAnswer;
import dev.postroom.spi.PageRequest;
import dev.postroom.spi.PageRequest.Due;
import dev.postroom.spi.PageRequest.DuePosition;
import dev.postroom.spi.PageRequest.Sweep;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.StoredMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Pages through what is due, in all lanes, as a relay does. */
final class DueReader {
    private final FollowReader reader;
    private final Map<Integer, DuePosition> positions = new TreeMap<>();
    private int limit = 100;
    private RowLimits limits = StoreContract.NO_LIMIT;

    DueReader(StoreUnderTest store) {
        this(store.plainReader());
    }

    DueReader(FollowReader reader) {
        this.reader = reader;
        restart();
    }

    /** From the beginning again, as at the relay's next round. */
    DueReader restart() {
        StoreContract.ALL_LANES.forEach(lane -> positions.put(lane, DuePosition.beginning(lane)));
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
        PageAnswer.Page page = (PageAnswer.Page) reader.read(new PageRequest(
                null,
                List.of(),
                List.of(),
                1,
                new Due(List.copyOf(positions.values()), limit),
                Sweep.NONE,
                ReferenceReader.bounds(limits)));
        page.due().ends().forEach(end -> positions.put(end.position().lane(), end.position()));
        return page.due().rows().stream().map(FollowedMessage::message).toList();
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
