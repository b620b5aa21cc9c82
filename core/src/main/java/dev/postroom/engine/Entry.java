package dev.postroom.engine;

import dev.postroom.spi.Outcome;
import dev.postroom.spi.RowKey;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;
import org.jspecify.annotations.Nullable;

/** A message in memory. Bits stand for destinations, see {@link dev.postroom.spi.Destinations}. */
final class Entry {
    final StoredMessage row;
    final OwnedLane lane;
    /** What it must be confirmed by. */
    final long route;

    /** What has confirmed it, this time or before. */
    long done;
    /** Where it is on its way to now. */
    long inFlight;
    /** When something of it was last put on its way, by the engine's clock. */
    long sentAt;
    /** Part of {@link #done} that is not in the database yet. */
    long unsettled;
    /** The failure that ends this attempt once nothing is in flight any more. */
    Outcome.@Nullable Failed failure;

    @Nullable
    String failedAt;

    boolean suspect;
    /** Handed to the settler; whatever comes back decides whether it goes on. */
    boolean settling;
    /** Its failure cannot be recorded, see {@link SetAside}: it stays as it is, and {@link #settling}. */
    boolean setAside;
    /** The row was changed by somebody else: it is to be read again. */
    boolean outdated;
    /** Waits for a closed gate in memory, to probe it. */
    @Nullable
    GateKey candidateFor;

    /** Its crash was counted, so it may go although it may kill this process. */
    boolean cleared;

    /** It was sent and this process lives: its count goes back to what it was. */
    boolean acquitted;

    /** Whether it is in memory still. */
    boolean present;
    /** What is known of its stream while it is present, if it is ordered. */
    @Nullable
    StreamState stream;

    int version;
    int crashes;

    Entry(StoredMessage row, OwnedLane lane, long route) {
        this.row = row;
        this.lane = lane;
        this.route = route;
        this.done = row.progress().completed();
        this.version = row.progress().version();
        this.crashes = row.progress().crashes();
    }

    RowKey key() {
        return row.key();
    }

    long seq() {
        return row.key().seq();
    }

    String topic() {
        return row.stream().topic();
    }

    /** Where it still has to go. */
    long remaining() {
        return route & ~done;
    }

    /** Where it could be sent now, as far as it is concerned itself. */
    long unsent() {
        return failure != null || settling ? 0 : remaining() & ~inFlight;
    }

    boolean isOrdered() {
        return row.stream().isOrdered() && !row.progress().released();
    }

    /** A holder of its stream that was brought back by its due time: it does not wait for itself. */
    boolean isHolder() {
        return row.progress().state() == RowState.WAITING;
    }

    boolean isReady() {
        return row.progress().state() == RowState.READY;
    }

    /** Nothing of it is under way anywhere, so it can be forgotten and read again. */
    boolean isForgettable() {
        return inFlight == 0 && unsettled == 0 && failure == null && !settling;
    }

    int bytes() {
        byte[] payload = row.content().payload();
        return 200 + (payload == null ? 0 : payload.length);
    }
}
