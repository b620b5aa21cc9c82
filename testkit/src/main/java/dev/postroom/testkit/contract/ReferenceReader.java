package dev.postroom.testkit.contract;

import dev.postroom.spi.MessageReader;
import dev.postroom.spi.MessageReader.LanePosition;
import dev.postroom.spi.MessageReader.Page;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowLimits;
import dev.postroom.spi.StoredMessage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads as a relay has to: keeps a cursor per lane and the mark, remembers what it read until told that it was settled,
 * fetches what was passed by, puts a late row before the one that points at it, and begins anew when told to. What a
 * test asserts about its reads therefore holds for every way a database may obey the reading rule.
 */
final class ReferenceReader {
    private static final int MOST_READS = 300;

    private final MessageReader reader;
    private final Map<Integer, Long> cursors = new TreeMap<>();
    private final Map<UUID, StoredMessage> memory = new LinkedHashMap<>();
    private MessageReader.@Nullable Mark mark;
    private int limit = 100;
    private RowLimits limits = StoreContract.NO_LIMIT;
    private int restarts;

    ReferenceReader(MessageReader reader, Collection<Integer> lanes) {
        this.reader = reader;
        lanes.forEach(this::add);
    }

    /** Begins to read a lane, from its start. */
    void add(int lane) {
        cursors.put(lane, 0L);
    }

    ReferenceReader limitPerLane(int newLimit) {
        limit = newLimit;
        return this;
    }

    ReferenceReader limits(RowLimits newLimits) {
        limits = newLimits;
        return this;
    }

    MessageReader port() {
        return reader;
    }

    long cursor(int lane) {
        return cursors.getOrDefault(lane, 0L);
    }

    /** How often the database told it to begin anew. */
    int restarts() {
        return restarts;
    }

    /** One read: what is new, in the order in which a relay would send it. */
    List<StoredMessage> read() {
        Page page = reader.read(new MessageReader.ReadRequest(mark, positions(), limits));
        mark = page.next();
        if (page.restart()) {
            if (!page.rows().isEmpty()) {
                throw new AssertionError("a page that says restart must be empty");
            }
            restarts++;
            mark = null;
            memory.clear();
            cursors.replaceAll((lane, cursor) -> 0L);
            return read();
        }
        List<StoredMessage> fresh = new ArrayList<>();
        // First what was passed by: a row behind the cursor may be of the stream of one ahead of it.
        List<RowKey> unknown = page.passed().stream()
                .filter(key -> !memory.containsKey(key.id()))
                .toList();
        if (!unknown.isEmpty()) {
            reader.fetch(unknown, limits).forEach(row -> take(row, fresh));
        }
        for (StoredMessage row : page.rows()) {
            take(row, fresh);
        }
        for (StoredMessage row : page.rows()) {
            cursors.merge(row.key().lane(), row.key().seq(), Math::max);
        }
        return fresh;
    }

    private List<LanePosition> positions() {
        return cursors.entrySet().stream()
                .map(lane -> new LanePosition(lane.getKey(), lane.getValue(), limit))
                .toList();
    }

    private void take(StoredMessage row, List<StoredMessage> fresh) {
        if (memory.containsKey(row.key().id())) {
            return;
        }
        long earlier = row.hold().earlierSeq();
        int lane = row.key().lane();
        if (row.stream().isOrdered() && earlier >= 0 && !remembers(lane, earlier)) {
            reader.fetchReady(lane, Set.of(earlier), limits).stream()
                    .filter(late -> late.stream().equals(row.stream()))
                    .forEach(late -> take(late, fresh));
        }
        memory.put(row.key().id(), row);
        fresh.add(row);
    }

    private boolean remembers(int lane, long seq) {
        return memory.values().stream()
                .anyMatch(row -> row.key().lane() == lane && row.key().seq() == seq);
    }

    /** Reads until a read brings nothing new. */
    List<StoredMessage> readAll() {
        List<StoredMessage> all = new ArrayList<>();
        for (int reads = 0; reads < MOST_READS; reads++) {
            List<StoredMessage> fresh = read();
            if (fresh.isEmpty()) {
                return all;
            }
            all.addAll(fresh);
        }
        throw new AssertionError("still something new after " + MOST_READS + " reads: " + all.size() + " rows");
    }

    /** Reads until the condition holds for all that it read in this call; some databases go round page by page. */
    List<StoredMessage> readUntil(Predicate<List<StoredMessage>> condition) {
        List<StoredMessage> all = new ArrayList<>();
        for (int reads = 0; reads < MOST_READS; reads++) {
            all.addAll(read());
            if (condition.test(all)) {
                return all;
            }
        }
        throw new AssertionError("not found within " + MOST_READS + " reads; read: " + all);
    }

    /** Reads until so many new rows came; then once more, which must bring nothing. */
    List<StoredMessage> readExactly(int rows) {
        List<StoredMessage> all = readUntil(read -> read.size() >= rows);
        all.addAll(read());
        if (all.size() != rows) {
            throw new AssertionError("expected " + rows + " rows, but read " + all.size() + ": " + all);
        }
        return all;
    }

    /** Forgets rows that were settled, as a relay does. */
    void forget(Collection<StoredMessage> settled) {
        settled.forEach(row -> memory.remove(row.key().id()));
    }
}
