package dev.postroom.follow;

import dev.postroom.spi.FollowedMessage;
import dev.postroom.spi.RowState;
import dev.postroom.spi.StoredMessage;

/** A row as one read saw it, offered to one destination after the other. One object serves all rows. */
final class Offer {
    /** What brought the row. */
    enum From {
        /** A range that followers were carried over. */
        RANGE,
        /** The late part: it committed at or below where followers are. */
        LATE,
        /** The due part. */
        DUE,
        /** A read of its stream, which had fallen behind. */
        STREAM
    }

    /** What became of an offer at one destination. */
    enum Answer {
        /** It is not owed here, or in memory for this destination, or just settled. */
        NOTHING,
        /** It has failed, and the settler has not answered or only just: its stream is held. */
        FAILING,
        /** Somebody else brings it: a follower, a read of its stream, or the missed mark. */
        LEFT,
        /** The same, because its stream has its share of the memory. */
        OVER_SHARE,
        /** The destination takes nothing: whoever offers it stops before it. */
        STOP,
        /** It is in memory now. */
        TAKEN
    }

    private FollowedMessage row;
    private Message message;
    private boolean ordered;
    private boolean ready;

    Offer(FollowedMessage row, Message message) {
        this.row = row;
        this.message = message;
        of(row, message);
    }

    /** @param newMessage the one in memory with this row's id, or a new one */
    Offer of(FollowedMessage newRow, Message newMessage) {
        row = newRow;
        message = newMessage;
        ready = newRow.message().progress().state() == RowState.READY;
        ordered = isOrdered(newRow);
        return this;
    }

    /** Whether a row waits for earlier ones of its stream, and later ones for it. */
    static boolean isOrdered(FollowedMessage row) {
        StoredMessage.Progress progress = row.message().progress();
        return row.message().stream().isOrdered()
                && !progress.released()
                && (row.holds() || progress.state() != RowState.WAITING);
    }

    FollowedMessage row() {
        return row;
    }

    Message message() {
        return message;
    }

    long seq() {
        return row.seq();
    }

    long stream() {
        return row.stream();
    }

    int version() {
        return row.message().progress().version();
    }

    boolean isOrdered() {
        return ordered;
    }

    boolean isReady() {
        return ready;
    }

    /** Whether putting it off puts off later ones of its stream. */
    boolean holdsStream() {
        return ordered && message.topic().holdsStream();
    }

    Due due() {
        return new Due(row.message().due(), row.seq());
    }

    boolean isOwedTo(Destination destination) {
        return (message.route() & ~row.message().progress().completed() & destination.mask()) != 0
                && !message.hasArrivedAt(destination.mask());
    }

    /** Whether an earlier row of its stream that waits or is dead has to arrive at the destination first. */
    boolean isHeldAt(Destination destination) {
        return ordered && (row.heldAt() & destination.mask()) != 0;
    }
}
