package dev.postroom.engine;

import dev.postroom.Stream;
import dev.postroom.spi.RowKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The messages in memory, and what is known of their streams. */
final class Memory {
    /** Streams that are remembered as blocked; beyond that whole lanes wait. */
    static final int MOST_STREAMS = 10_000;

    private final Map<UUID, Entry> entries = new HashMap<>();
    private final Map<Stream, StreamState> streams = new HashMap<>();
    /** Left memory while a read was under way that may still have seen them. */
    private final Set<UUID> fading = new HashSet<>();

    private final int[] occupancy = new int[64];
    private long bytes;
    private int blockedStreams;

    /** To be looked at by the dispatcher. */
    final Deque<Entry> ready = new ArrayDeque<>();

    int size() {
        return entries.size();
    }

    long bytes() {
        return bytes;
    }

    boolean knows(UUID id) {
        return entries.containsKey(id) || fading.contains(id);
    }

    /** Whether it left while the read was under way that may now bring it back. */
    boolean isFading(UUID id) {
        return fading.contains(id);
    }

    @Nullable
    Entry find(UUID id) {
        return entries.get(id);
    }

    Collection<Entry> entries() {
        return entries.values();
    }

    List<Entry> entriesOf(OwnedLane lane) {
        List<Entry> found = new ArrayList<>();
        for (Entry entry : entries.values()) {
            if (entry.lane == lane) {
                found.add(entry);
            }
        }
        return found;
    }

    /** How many messages still have to go to the destination with this bit. */
    int occupancy(long bit) {
        return occupancy[Long.numberOfTrailingZeros(bit)];
    }

    void add(Entry entry) {
        entries.put(entry.key().id(), entry);
        bytes += entry.bytes();
        count(entry.remaining(), 1);
        entry.present = true;
        if (entry.isOrdered()) {
            StreamState stream = stream(entry.row.stream(), entry.key().lane());
            entry.stream = stream;
            stream.add(entry);
        }
        ready.add(entry);
    }

    /** Has the stream looked at; whoever looks at its first message looks at them all. */
    void look(StreamState stream) {
        if (!stream.queue.isEmpty()) {
            ready.add(stream.queue.get(0));
        }
    }

    /** A destination confirmed it. */
    void confirmed(Entry entry, long bit) {
        if ((entry.remaining() & bit) != 0) {
            count(bit, -1);
            entry.done |= bit;
            entry.unsettled |= bit;
        }
    }

    void remove(Entry entry) {
        if (entry.present) {
            entry.present = false;
            entries.remove(entry.key().id());
            bytes -= entry.bytes();
            count(entry.remaining(), -1);
            StreamState state = entry.stream;
            if (state != null) {
                state.queue.remove(entry);
                forgetIfEmpty(state);
            }
        }
    }

    private void count(long bits, int by) {
        for (long rest = bits; rest != 0; rest &= rest - 1) {
            occupancy[Long.numberOfTrailingZeros(rest)] += by;
        }
    }

    /** A read that is under way may bring it as it was. */
    void fade(RowKey key) {
        fading.add(key.id());
    }

    /** No read is under way that began before they left. */
    void forgetFading() {
        fading.clear();
    }

    StreamState stream(Stream stream, int lane) {
        return streams.computeIfAbsent(stream, key -> new StreamState(key, lane));
    }

    @Nullable
    StreamState knownStream(Stream stream) {
        return streams.get(stream);
    }

    Collection<StreamState> streams() {
        return streams.values();
    }

    boolean hasRoomForBlocked() {
        return blockedStreams < MOST_STREAMS;
    }

    int blockedStreams() {
        return blockedStreams;
    }

    void block(StreamState state, long mask, long seq, long since) {
        if (!state.isBlocked()) {
            blockedStreams++;
        }
        state.block(mask, seq, since);
    }

    void unblock(StreamState state, OwnedLane lane) {
        if (state.isBlocked()) {
            blockedStreams--;
            state.unblock(lane);
            forgetIfEmpty(state);
        }
    }

    void forgetIfEmpty(StreamState state) {
        if (state.isEmpty() && !state.forgotten) {
            state.forgotten = true;
            streams.remove(state.stream);
        }
    }

    /** The streams of a lane that went; those with messages still under way keep them, but nothing else. */
    void forgetBlocks(java.util.function.Predicate<StreamState> of) {
        for (StreamState state : List.copyOf(streams.values())) {
            if (of.test(state)) {
                if (state.isBlocked()) {
                    blockedStreams--;
                }
                StreamState fresh = new StreamState(state.stream, state.lane);
                fresh.queue.addAll(state.queue);
                fresh.queue.forEach(entry -> entry.stream = fresh);
                state.forgotten = true;
                streams.remove(state.stream);
                if (!fresh.isEmpty()) {
                    streams.put(state.stream, fresh);
                }
            }
        }
    }
}
