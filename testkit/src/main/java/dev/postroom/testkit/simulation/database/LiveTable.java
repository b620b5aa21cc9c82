package dev.postroom.testkit.simulation.database;

import dev.postroom.Stream;
import dev.postroom.spi.LaneStore;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The committed rows, with the indexes that the real tables have. */
final class LiveTable {
    private final ToLongFunction<Stream> streamId;
    private final Journal journal;
    private final DatabaseObserver observer;
    private final Map<Long, NavigableMap<Place, Row>> byStreamId = new HashMap<>();
    private final Map<UUID, Row> byId = new HashMap<>();
    private final NavigableMap<Long, List<Row>> byTx = new TreeMap<>();
    private final List<NavigableMap<Place, Row>> ready = new ArrayList<>();
    private final List<NavigableMap<DuePlace, Row>> due = new ArrayList<>();
    private final Map<KeyedStream, NavigableMap<Place, Row>> holdersOfStream = new HashMap<>();

    LiveTable(ToLongFunction<Stream> streamId, Journal journal, DatabaseObserver observer) {
        this.journal = journal;
        this.observer = observer;
        this.streamId = streamId;
        for (int lane = 0; lane < LaneStore.LANES; lane++) {
            ready.add(new TreeMap<>());
            due.add(new TreeMap<>());
        }
    }

    /** Undoes go through these too, and are noted by nobody. */
    private void put(Row row) {
        byId.put(row.key().id(), row);
        byTx.computeIfAbsent(row.tx(), tx -> new ArrayList<>()).add(row);
        index(row);
    }

    void insert(Row row) {
        put(row);
        journal.note(() -> {
            takeOut(row);
            observer.lost(row);
        });
    }

    void change(Row row, Consumer<Row> change) {
        Runnable before = row.restorer();
        removeFromIndexes(row);
        change.accept(row);
        index(row);
        journal.note(() -> {
            removeFromIndexes(row);
            before.run();
            index(row);
            observer.reverted(row);
        });
    }

    void remove(Row row) {
        takeOut(row);
        journal.note(() -> {
            put(row);
            observer.returned(row);
        });
    }

    private void takeOut(Row row) {
        removeFromIndexes(row);
        byId.remove(row.key().id());
        List<Row> ofTx = byTx.getOrDefault(row.tx(), new ArrayList<>());
        ofTx.remove(row);
        if (ofTx.isEmpty()) {
            byTx.remove(row.tx());
        }
    }

    @Nullable
    Row find(UUID id) {
        return byId.get(id);
    }

    /** The row, if lane and seq are its own too. */
    @Nullable
    Row find(RowKey key) {
        Row row = byId.get(key.id());
        return row != null && row.key().equals(key) ? row : null;
    }

    /** Of all rows that are there now, 0 if there is none. */
    long highestSeq() {
        return byId.values().stream().mapToLong(row -> row.key().seq()).max().orElse(0);
    }

    /** In no order that means anything. */
    Collection<Row> rows() {
        return byId.values();
    }

    NavigableMap<Place, Row> ready(int lane) {
        return ready.get(lane);
    }

    NavigableMap<DuePlace, Row> due(int lane) {
        return due.get(lane);
    }

    NavigableMap<Place, Row> holders(Stream stream) {
        return holdersOfStream.getOrDefault(KeyedStream.of(stream), new TreeMap<>());
    }

    /** All ordered live rows of the streams with this id. */
    NavigableMap<Place, Row> ofStream(long id) {
        return byStreamId.getOrDefault(id, new TreeMap<>());
    }

    long streamId(Row row) {
        return streamId.applyAsLong(row.stream());
    }

    List<Row> ofTransaction(long tx) {
        return byTx.getOrDefault(tx, List.of());
    }

    /** The rows of transactions from one up to before another. */
    Collection<List<Row>> transactions(long from, long end) {
        return from >= end ? List.of() : byTx.subMap(from, true, end, false).values();
    }

    private void index(Row row) {
        Place place = Place.of(row.key());
        int lane = row.key().lane();
        RowState state = row.state();
        if (state == RowState.READY) {
            ready.get(lane).put(place, row);
        }
        if (row.stream().isOrdered()) {
            byStreamId.computeIfAbsent(streamId(row), stream -> new TreeMap<>()).put(place, row);
        }
        Instant dueAt = row.due();
        if (state != RowState.DEAD && dueAt != null) {
            due.get(lane).put(new DuePlace(dueAt, place), row);
        }
        if (row.isHolder()) {
            holdersOfStream
                    .computeIfAbsent(KeyedStream.of(row.stream()), stream -> new TreeMap<>())
                    .put(place, row);
        }
    }

    private void removeFromIndexes(Row row) {
        Place place = Place.of(row.key());
        int lane = row.key().lane();
        ready.get(lane).remove(place);
        Instant dueAt = row.due();
        if (dueAt != null) {
            due.get(lane).remove(new DuePlace(dueAt, place));
        }
        holders(row.stream()).remove(place);
        ofStream(streamId(row)).remove(place);
    }
}
