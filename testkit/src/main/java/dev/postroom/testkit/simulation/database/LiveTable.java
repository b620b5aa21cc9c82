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
import org.jspecify.annotations.Nullable;

/** The committed rows, with the indexes that the real tables have. */
final class LiveTable {
    private final Map<UUID, Row> byId = new HashMap<>();
    private final NavigableMap<Long, List<Row>> byTx = new TreeMap<>();
    private final List<NavigableMap<Place, Row>> ready = new ArrayList<>();
    private final List<NavigableMap<DuePlace, Row>> due = new ArrayList<>();
    private final Map<Stream, NavigableMap<Place, Row>> readyOfStream = new HashMap<>();
    private final Map<Stream, NavigableMap<Place, Row>> holdersOfStream = new HashMap<>();

    LiveTable() {
        for (int lane = 0; lane < LaneStore.LANES; lane++) {
            ready.add(new TreeMap<>());
            due.add(new TreeMap<>());
        }
    }

    void insert(Row row) {
        byId.put(row.key().id(), row);
        byTx.computeIfAbsent(row.tx(), tx -> new ArrayList<>()).add(row);
        index(row);
    }

    void change(Row row, Consumer<Row> change) {
        removeFromIndexes(row);
        change.accept(row);
        index(row);
    }

    void remove(Row row) {
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
        return holdersOfStream.getOrDefault(stream, new TreeMap<>());
    }

    NavigableMap<Place, Row> ready(Stream stream) {
        return readyOfStream.getOrDefault(stream, new TreeMap<>());
    }

    List<Row> ofTransaction(long tx) {
        return byTx.getOrDefault(tx, List.of());
    }

    Collection<List<Row>> sinceTransaction(long tx) {
        return byTx.tailMap(tx, true).values();
    }

    private void index(Row row) {
        Place place = Place.of(row.key());
        int lane = row.key().lane();
        RowState state = row.state();
        if (state == RowState.READY) {
            ready.get(lane).put(place, row);
            if (row.stream().isOrdered()) {
                readyOfStream
                        .computeIfAbsent(row.stream(), stream -> new TreeMap<>())
                        .put(place, row);
            }
        }
        Instant dueAt = row.due();
        if (state != RowState.DEAD && dueAt != null) {
            due.get(lane).put(new DuePlace(dueAt, place), row);
        }
        if (row.isHolder()) {
            holdersOfStream
                    .computeIfAbsent(row.stream(), stream -> new TreeMap<>())
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
        ready(row.stream()).remove(place);
        holders(row.stream()).remove(place);
    }
}
